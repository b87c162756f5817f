package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of locks when PostgreSQL is killed, when it undoes transactions, and when the connection for wakes is cut. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresFaultTest {

    @SuppressWarnings("NullAway.Init")
    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** What was granted is not forgotten, nobody else gets it, and tokens go on above the old ones (I1, I2, I3). */
    @Tag(Effort.SCALED)
    @Test
    void P07_kill9_andRestart_underLoad_losesNoGrantAndNoUpdate() throws Exception {
        Client keeper = new Client(JdbcStore.at(ServerUri.parse(server.url())));
        Claim kept = keeper.hold("kept");
        AtomicBoolean over = new AtomicBoolean();
        int[] counter = new int[1];
        AtomicInteger increments = new AtomicInteger();
        ConcurrentLinkedQueue<Long> tokens = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            workers.add(CompletableFuture.runAsync(() -> count(over, counter, increments, tokens), task -> {
                Thread thread = new Thread(task);
                thread.setDaemon(true);
                thread.start();
            }));
        }

        for (int i = 0; i < Effort.pick(2, 20); i++) {
            int before = increments.get();
            await().atMost(Duration.ofSeconds(30)).until(() -> increments.get() > before + 20);
            server.kill();
            server.restart();
        }
        int before = increments.get();
        await().atMost(Duration.ofSeconds(30)).until(() -> increments.get() > before + 20);
        over.set(true);
        for (CompletableFuture<Void> worker : workers) {
            worker.get(40, TimeUnit.SECONDS);
        }

        assertThat(counter[0]).isEqualTo(increments.get());
        assertThat(List.copyOf(tokens)).isSorted().doesNotHaveDuplicates();
        await().ignoreExceptions().until(() -> keeper.renew(kept) == Renewal.HELD);
        assertThat(keeper.isGranted(keeper.claim("kept"))).isFalse();
        keeper.close();
    }

    /** The counter is not atomic, and only the lock protects it. */
    private static void count(
            AtomicBoolean over, int[] counter, AtomicInteger increments, ConcurrentLinkedQueue<Long> tokens) {
        try (Interlock client = Interlock.connect(server.url())) {
            DistributedLock lock = client.lock("counter");
            while (!over.get()) {
                try (Lease lease = lock.acquire(LeaseTerm.renewing(Duration.ofSeconds(20)))) {
                    counter[0]++;
                    tokens.add(lease.token());
                    increments.incrementAndGet();
                } catch (StoreUnavailableException e) {
                    // The server is down for longer than a call waits: the next call tries again.
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    /** In one of three statements that write, PostgreSQL itself undoes the transaction, as for a deadlock or under serialization. */
    @Test
    void P26_transactionsThatAreUndone_areDoneAgain() {
        String url = server.newDatabase();
        JdbcStore store = JdbcStore.at(ServerUri.parse(url));
        try (Client a = new Client(store);
                Client b = new Client(JdbcStore.at(ServerUri.parse(url)))) {
            a.release(a.hold("first"));
            fail(url);
            long last = 0;
            for (int i = 0; i < 40; i++) {
                Claim held = a.claim("x");
                long fence = a.granted(held);
                assertThat(fence).isGreaterThan(last);
                last = fence;
                Claim waiting = b.await("x", Duration.ofSeconds(1));
                assertThat(a.renew(held)).isEqualTo(Renewal.HELD);
                assertThat(a.release(held)).isTrue();
                last = b.granted(waiting);
                assertThat(b.release(waiting)).isTrue();
            }
            assertThat(PostgresServer.number(url, "SELECT last_value FROM undone"))
                    .isGreaterThan(50);
        }
    }

    private static void fail(String url) {
        PostgresServer.execute(url, "CREATE SEQUENCE undone");
        PostgresServer.execute(
                url,
                """
                CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF random() < 0.33 THEN
                    PERFORM nextval('undone');
                    IF random() < 0.5 THEN RAISE EXCEPTION 'undone' USING ERRCODE = '40001'; END IF;
                    RAISE EXCEPTION 'undone' USING ERRCODE = '40P01';
                  END IF;
                  RETURN coalesce(NEW, OLD);
                END $$""");
        for (String table : List.of("lock", "claim")) {
            PostgresServer.execute(
                    url,
                    "CREATE TRIGGER undo BEFORE INSERT OR UPDATE OR DELETE ON interlock_" + table
                            + " FOR EACH ROW EXECUTE FUNCTION undo()");
        }
    }

    /** P11: the notice goes to nobody, and the next look finds the lock free. */
    @Test
    void P11_theConnectionForWakes_isCut_theNextHoldsWithinThePollCap_andWakesComeBack() throws Exception {
        String url = server.newDatabase();
        try (Interlock holder = Interlock.connect(url);
                Interlock waiter =
                        Interlock.builder(url).pollCap(Duration.ofMillis(700)).build()) {
            DistributedLock lock = holder.lock("x");
            Lease held = lock.acquire();
            CompletableFuture<Lease> waiting = waiter.lock("x").acquireAsync().toCompletableFuture();
            await().until(() -> listeners(url) == 1 && lock.inspect().waiters().size() == 1);

            cutListeners(url);
            await().until(() -> listeners(url) == 0);
            long begun = System.nanoTime();
            held.close();
            Lease next = waiting.get(20, TimeUnit.SECONDS);

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMillis(1_500));
            CompletableFuture<Lease> again = lock.acquireAsync().toCompletableFuture();
            await().until(() -> listeners(url) >= 1);
            next.close();
            again.get(20, TimeUnit.SECONDS).close();
        }
    }

    private static long listeners(String url) {
        return PostgresServer.number(
                url,
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%WHERE channel = %'");
    }

    private static void cutListeners(String url) {
        long cut = PostgresServer.number(
                url,
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%WHERE channel = %'");
        assertThat(cut).isEqualTo(1);
    }
}
