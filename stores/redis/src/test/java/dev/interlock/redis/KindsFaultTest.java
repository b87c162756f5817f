package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.process.ChildJvm;
import dev.interlock.testkit.server.RedisServer;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fair locks and semaphores between processes that die, and between many clients. */
@Tag("server")
@Timeout(600)
@Tag("wide")
class KindsFaultTest {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration PLACE = Duration.ofSeconds(5);
    private static final Duration MORE = Duration.ofSeconds(1);

    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** Its time-outs only guard against hanging. */
    private static Interlock open() {
        return Interlock.builder(server.uri())
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .build();
    }

    @Test
    @Tag(Effort.SCALED)
    void P14_deadWaitersOfAFairLock_keepTheOrderOfTheOthers() {
        killWaitersOfAFairLock(false);
    }

    @Test
    @Tag("timing")
    void P14_deadWaitersOfAFairLock_costNoMoreThanTheirPlace() {
        killWaitersOfAFairLock(true);
    }

    private static void killWaitersOfAFairLock(boolean timed) {
        int processes = Effort.pick(4, 10);
        int threads = Effort.pick(25, 50);
        List<ChildJvm> children = new ArrayList<>();
        try (Interlock client = open()) {
            DistributedLock lock =
                    client.lock("fair", LockOptions.builder().fair(true).build());
            lock.lock();
            for (int i = 0; i < processes; i++) {
                children.add(ChildJvm.start(FairMain.class, server.uri(), "fair", Integer.toString(threads)));
            }
            await().until(() -> lock.inspect().waiters().size() == processes * threads);
            ChildJvm survivor = children.get(processes - 1);
            List<String> order = lock.inspect().waiters().stream()
                    .map(waiter -> waiter.party().thread())
                    .filter(thread -> thread.startsWith(survivor.pid() + "-"))
                    .toList();
            children.subList(0, processes - 1).forEach(ChildJvm::kill);
            server.command("CONFIG", "RESETSTAT");
            try (Stopwatch watch = new Stopwatch()) {
                lock.unlock();

                for (int i = 0; i < threads; i++) {
                    assertThat(survivor.await("held ", PATIENCE))
                            .as("place %d of %s", i, order)
                            .isEqualTo(order.get(i));
                    if (timed && i == 0) {
                        watch.assertAtMost(PLACE.plus(MORE), "The turn of the first that lives");
                    }
                }
                // Two for each hold, and one in a second or so for each that waits.
                long seconds = 1 + watch.elapsed().toSeconds();
                if (timed) {
                    assertThat(server.calls("evalsha")).isLessThan(threads * (4 + 2 * seconds));
                }
            }
            survivor.await("done", PATIENCE);
            await().untilAsserted(
                            () -> assertThat(server.list("KEYS", "*fair*")).containsExactly("interlock_fence:{fair}"));
        } finally {
            children.forEach(ChildJvm::kill);
        }
    }

    /**
     * It listens as long as its connection stands, and takes nothing: the lock that it was given is over when its place
     * would have been.
     */
    @Test
    void P14_stoppedWaiter_losesItsPlaceAndComesAfterTheOthers() throws Exception {
        stopAWaiter(false);
    }

    @Test
    @Tag("timing")
    void P14_stoppedWaiter_costsNoMoreThanItsPlace() throws Exception {
        stopAWaiter(true);
    }

    private static void stopAWaiter(boolean timed) throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        Patience.inTime(() -> stopAWaiter("still-" + attempts.incrementAndGet(), timed));
    }

    /** Empty if another holder was seen so late that the stopped one may have lost its place before the release. */
    private static Optional<Boolean> stopAWaiter(String name, boolean timed) {
        try (Interlock client = open()) {
            DistributedLock lock =
                    client.lock(name, LockOptions.builder().fair(true).build());
            lock.lock();
            try (ChildJvm still = waiting(lock, 1);
                    ChildJvm next = waiting(lock, 2)) {
                long stopped = System.nanoTime();
                still.stop();
                try (Stopwatch watch = new Stopwatch()) {
                    lock.unlock();
                    List<Long> holders = lock.inspect().holders().stream()
                            .map(holder -> holder.party().pid())
                            .toList();
                    if (!holders.equals(List.of(still.pid())) && isLate(stopped)) {
                        return Optional.empty();
                    }
                    assertThat(holders).containsExactly(still.pid());

                    next.await("held ", PATIENCE);
                    if (timed) {
                        watch.assertAtMost(PLACE.plus(MORE), "The turn of the next");
                    }
                }
                still.resume();
                still.await("held ", PATIENCE);
                still.await("done", PATIENCE);
                next.await("done", PATIENCE);
            }
            assertThat(lock.isLocked()).isFalse();
            return Optional.of(true);
        }
    }

    /** Its place counts from when the stopped one last asked, which may be a second or more before the stop. */
    private static boolean isLate(long stopped) {
        return Duration.ofNanos(System.nanoTime() - stopped).compareTo(PLACE.dividedBy(2)) > 0;
    }

    private static ChildJvm waiting(DistributedLock lock, int many) {
        ChildJvm child = ChildJvm.start(FairMain.class, server.uri(), lock.name(), "1");
        await().until(() -> lock.inspect().waiters().size() == many);
        return child;
    }

    /** The best of three: those that wait ask every second or so besides. */
    @Test
    @Tag("timing")
    void P13_handOverOfAFairLock_costsTwoCommandsHoweverManyWait() throws Exception {
        int clients = 8;
        long fewest = Long.MAX_VALUE;
        for (int round = 0; round < 3; round++) {
            fewest = Math.min(fewest, commandsOfHandOvers(clients));
        }
        // The release grants; who was granted believes no message, and asks.
        assertThat(fewest).isLessThanOrEqualTo(2L * clients + 1);
    }

    private static long commandsOfHandOvers(int clients) throws Exception {
        List<Interlock> open = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        CountDownLatch released = new CountDownLatch(clients);
        try (Interlock first = Interlock.connect(server.uri())) {
            DistributedLock lock =
                    first.lock("hand-over", LockOptions.builder().fair(true).build());
            lock.lock();
            for (int i = 0; i < clients; i++) {
                Interlock client = Interlock.connect(server.uri());
                open.add(client);
                DistributedLock same = client.lock(
                        "hand-over", LockOptions.builder().fair(true).build());
                threads.add(new Thread(() -> {
                    same.lock();
                    same.unlock();
                    released.countDown();
                }));
            }
            threads.forEach(Thread::start);
            await().until(() -> lock.inspect().waiters().size() == clients);
            server.command("CONFIG", "RESETSTAT");
            lock.unlock();
            released.await();
            return server.calls("evalsha");
        } finally {
            for (Thread thread : threads) {
                thread.join();
            }
            open.forEach(Interlock::close);
        }
    }

    @Test
    void P20_permitsOfADeadHolder_areBackAfterItsLease() throws Exception {
        killAHolder(Duration.ofSeconds(10), false);
    }

    @Test
    @Tag("timing")
    void P20_permitsOfADeadHolder_areBackWithinItsLeaseAndASecond() throws Exception {
        killAHolder(Duration.ofSeconds(2), true);
    }

    private static void killAHolder(Duration lease, boolean timed) throws Exception {
        try (Interlock client = open();
                ChildJvm holder =
                        ChildJvm.start(PermitsMain.class, server.uri(), "permits", "3", "5", lease.toString())) {
            holder.await("held ", PATIENCE);
            DistributedSemaphore semaphore = client.semaphore("permits", 5);
            assertThat(semaphore.availablePermits()).isEqualTo(2);
            assertThat(semaphore.tryAcquire(5)).isEmpty();
            holder.kill();
            try (Stopwatch watch = new Stopwatch()) {
                Optional<Lease> all = semaphore.tryAcquire(5, PATIENCE);

                assertThat(all).isPresent();
                if (timed) {
                    watch.assertAtMost(lease.plus(MORE), "Permits of a dead holder");
                }
                all.orElseThrow().close();
            }
        }
    }

    /**
     * The negative control: nothing new gets a place. The last reader's keys live as long as that of another already,
     * and need no longer life.
     */
    @Test
    void P04_aServerThatIsOutOfMemoryRenewsLeasesOfAllKinds() {
        try (RedisServer full = RedisServer.start();
                Probe probe = new Probe(full.uri())) {
            Claim permits = probe.claim("permits", LockKind.SEMAPHORE, new Mode.Permits(1, 5));
            Claim lasting = probe.claim("shared", LockKind.READ_WRITE, Mode.shared());
            Claim brief =
                    probe.claim("shared", LockKind.READ_WRITE, Mode.shared()).withLease(Duration.ofMinutes(1));
            Claim writer = probe.claim("whole", LockKind.READ_WRITE, Mode.fair());
            List<Claim> all = List.of(permits, lasting, brief, writer, probe.claim("lock"));
            all.forEach(probe::granted);
            full.command("CONFIG", "SET", "maxmemory", "1");

            assertThat(Probe.failure(probe.store.acquire(probe.claim("new")))).hasMessageContaining("OOM");
            assertThat(all).allSatisfy(claim -> assertThat(probe.renew(claim)).isEqualTo(Renewal.HELD));
            assertThat(BlockingClient.repeated(() -> probe.store.renew(all)))
                    .hasSize(5)
                    .containsValue(Renewal.HELD);
        }
    }

    @Test
    @Tag(Effort.SCALED)
    void P20_ofTwoThatAskForFourOfFiveOneGetsThem_andThenTheOther() {
        try (Interlock a = open();
                Interlock b = open()) {
            for (int round = 0; round < Effort.pick(50, 2000); round++) {
                DistributedSemaphore semaphore = a.semaphore("four", 5);
                var first = semaphore.acquireAsync(4).toCompletableFuture();
                var second = b.semaphore("four", 5).acquireAsync(4).toCompletableFuture();
                Lease earlier = (Lease) CompletableFuture.anyOf(first, second).join();

                assertThat(semaphore.inspect().holders()).hasSize(1);
                assertThat(first.isDone() && second.isDone()).isFalse();
                earlier.close();
                first.join().close();
                second.join().close();
            }
        }
    }
}
