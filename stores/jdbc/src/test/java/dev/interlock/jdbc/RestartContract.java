package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Effort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that is killed under load. */
abstract class RestartContract {

    private static final Duration SOON = Duration.ofMinutes(5);

    /** The URL of a database of this server that no other test uses. */
    protected abstract String url();

    /** Kills the server with SIGKILL, and restarts it on the same data. */
    protected abstract void killAndRestart();

    /** How often the short form kills it. */
    protected int kills() {
        return 2;
    }

    /**
     * No grant is forgotten, nobody else gets the lock, and tokens go on above the old ones (I1, I2, I3). In the long
     * form each of twenty kills takes some seconds.
     */
    @Tag(Effort.SCALED)
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void P07_kill9_andRestart_underLoad_losesNoGrantAndNoUpdate() throws Exception {
        String url = url();
        Client keeper = new Client(url);
        List<Claim> kept = new ArrayList<>();
        Load load = new Load(url);
        for (int i = 0; i < Effort.pick(kills(), 20); i++) {
            load.awaitMore();
            // The last grant is the first to be forgotten.
            kept.add(keptBy(keeper, i));
            killAndRestart();
        }
        load.awaitMore();
        load.end();

        load.assertNothingLost();
        for (Claim claim : kept) {
            await().ignoreExceptions().until(() -> keeper.renew(claim) == Renewal.HELD);
            assertThat(keeper.isGranted(keeper.claim(claim.id().name()))).isFalse();
        }
        keeper.close();
    }

    /** A claim that is held when this returns: its client may have to reconnect. */
    private static Claim keptBy(Client keeper, int number) {
        Claim claim = keeper.claim("kept-" + number);
        await().ignoreExceptions().until(() -> keeper.isGranted(claim));
        return claim;
    }

    /** Clients that increment a counter, which is not atomic, so that only the lock protects it. */
    private static final class Load {
        private static final int CLIENTS = 3;
        private static final int MORE = 20;

        private final AtomicBoolean over = new AtomicBoolean();
        private final int[] counter = new int[1];
        private final AtomicInteger increments = new AtomicInteger();
        private final ConcurrentLinkedQueue<Long> tokens = new ConcurrentLinkedQueue<>();
        private final List<CompletableFuture<Void>> workers = new ArrayList<>();

        Load(String url) {
            for (int i = 0; i < CLIENTS; i++) {
                workers.add(CompletableFuture.runAsync(() -> count(url), task -> {
                    Thread thread = new Thread(task);
                    thread.setDaemon(true);
                    thread.start();
                }));
            }
        }

        private void count(String url) {
            try (Interlock client = Interlock.connect(url)) {
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

        void awaitMore() {
            int before = increments.get();
            await().atMost(SOON).until(() -> increments.get() > before + MORE);
        }

        void end() throws Exception {
            over.set(true);
            for (CompletableFuture<Void> worker : workers) {
                worker.get(5, TimeUnit.MINUTES);
            }
        }

        void assertNothingLost() {
            assertThat(counter[0]).isEqualTo(increments.get());
            assertThat(List.copyOf(tokens)).isSorted().doesNotHaveDuplicates();
        }
    }
}
