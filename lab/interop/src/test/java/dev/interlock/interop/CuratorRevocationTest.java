package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.Revoker;
import org.apache.zookeeper.KeeperException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each side asks the other to let go, and is heard. */
@Tag("wide")
class CuratorRevocationTest {

    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int TURNS = Effort.pick(60, 5_000);

    private static ZooKeeperClients clients;
    private static CuratorFramework curator;
    private static Interlock interlock;

    @BeforeAll
    static void open() {
        clients = new ZooKeeperClients();
        curator = clients.curator();
        interlock = clients.interlock();
    }

    @AfterAll
    static void close() {
        clients.close();
    }

    @Test
    void aHoldOfOurs_isAskedByCuratorsRevoker_whateverItsTerm() throws Exception {
        for (LeaseTerm term : List.of(LeaseTerm.renewing(), LeaseTerm.fixed(Duration.ofMinutes(5)))) {
            Lease held = interlock.lock("ours").acquire(term);
            held.onRevocationRequested(held::close);
            InterProcessMutex theirs = new InterProcessMutex(curator, "/ours");
            for (String node : theirs.getParticipantNodes()) {
                Revoker.attemptRevoke(curator, node);
            }
            assertThat(theirs.acquire(Patience.seconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(held.isValid()).isFalse();
            theirs.release();
        }
    }

    @Test
    void aHoldOfOurs_thatWasAskedWhileItWaited_hearsWhenItHolds() throws Exception {
        InterProcessMutex theirs = new InterProcessMutex(curator, "/early");
        theirs.acquire();
        CompletableFuture<Lease> waiting =
                interlock.lock("early").acquireAsync().toCompletableFuture();
        Awaitility.await().until(() -> theirs.getParticipantNodes().size() == 2);
        for (String node : theirs.getParticipantNodes()) {
            Revoker.attemptRevoke(curator, node);
        }
        theirs.release();
        Lease held = waiting.get(Patience.seconds(), TimeUnit.SECONDS);
        CountDownLatch asked = new CountDownLatch(1);
        held.onRevocationRequested(asked::countDown);
        assertThat(asked.await(Patience.seconds(), TimeUnit.SECONDS)).isTrue();
        held.close();
    }

    @Test
    void curatorsHold_isAskedByUs_harmlessWithoutAListener() throws Exception {
        InterProcessMutex theirs = new InterProcessMutex(curator, "/theirs");
        CountDownLatch asked = new CountDownLatch(1);
        theirs.makeRevocable(mutex -> asked.countDown());
        DistributedLock ours = interlock.lock("theirs");
        assertThat(interlock.administration().requestRevocation("theirs"))
                .as("of a free lock")
                .isFalse();
        theirs.acquire();
        assertThat(interlock.administration().requestRevocation("theirs")).isTrue();
        assertThat(asked.await(Patience.seconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(ours.tryLock()).as("it only asks").isFalse();
        theirs.release();
        assertThat(ours.tryLock()).isTrue();
        ours.unlock();

        InterProcessMutex deaf = new InterProcessMutex(curator, "/theirs");
        deaf.acquire();
        assertThat(interlock.administration().requestRevocation("theirs")).isTrue();
        assertThat(ours.inspect().holders()).hasSize(1);
        assertThat(ours.tryLock()).isFalse();
        deaf.release();
    }

    @Test
    void readersOfBothAreAsked() throws Exception {
        InterProcessMutex theirs = new InterProcessReadWriteLock(curator, "/readers").readLock();
        CountDownLatch asked = new CountDownLatch(2);
        theirs.makeRevocable(mutex -> asked.countDown());
        theirs.acquire();
        Lease ours = interlock.readWriteLock("readers").readLock().acquire();
        ours.onRevocationRequested(asked::countDown);
        assertThat(clients.interlock().administration().requestRevocation("readers"))
                .isTrue();
        assertThat(asked.await(Patience.seconds(), TimeUnit.SECONDS)).isTrue();
        ours.close();
        theirs.release();
    }

    /** Whoever holds keeps the lock until the other asks for it, or needs it no more. */
    @Tag(Effort.SCALED)
    @Test
    void eachHoldsUntilItIsAsked_overAndOver() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Turns turns = new Turns();
            CompletableFuture<Integer> ours = CompletableFuture.supplyAsync(() -> ours(turns), threads);
            CompletableFuture<Integer> theirs = CompletableFuture.supplyAsync(() -> theirs(turns), threads);
            int asked = ours.orTimeout(10, TimeUnit.MINUTES).join()
                    + theirs.orTimeout(10, TimeUnit.MINUTES).join();
            assertThat(asked).as("turns that ended by a request").isGreaterThan(TURNS);
        } finally {
            threads.shutdownNow();
        }
    }

    /** How often we were asked to let go. */
    private static int ours(Turns turns) {
        DistributedLock lock = interlock.lock("turns");
        return turns.take(asked -> {
            CompletableFuture<Lease> soon = lock.acquireAsync().toCompletableFuture();
            do {
                interlock.administration().requestRevocation("turns");
            } while (!soon.isDone() && isLate(soon));
            Lease held = soon.join();
            held.onRevocationRequested(asked::countDown);
            return held::close;
        });
    }

    private static boolean isLate(CompletableFuture<Lease> soon) throws Exception {
        try {
            soon.get(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            return false;
        } catch (TimeoutException e) {
            return true;
        }
    }

    private static int theirs(Turns turns) {
        InterProcessMutex lock = new InterProcessMutex(curator, "/turns");
        return turns.take(asked -> {
            lock.makeRevocable(mutex -> asked.countDown());
            do {
                askWhoHolds(lock);
            } while (!lock.acquire(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
            return lock::release;
        });
    }

    private static void askWhoHolds(InterProcessMutex lock) throws Exception {
        try {
            for (String node : lock.getParticipantNodes()) {
                Revoker.attemptRevoke(curator, node);
            }
        } catch (KeeperException.NoNodeException e) {
            // It let go by itself.
        }
    }

    /** Gets the lock, and says how to let go; the latch is for when it is asked to. */
    private interface Getting {
        Caller.Action get(CountDownLatch asked) throws Exception;
    }

    /** The turns of two. */
    private static final class Turns {
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicBoolean over = new AtomicBoolean();

        /** Takes all turns of one; in how many it was asked to let go. */
        int take(Getting lock) {
            return CuratorLock.call(() -> {
                int times = 0;
                for (int turn = 0; turn < TURNS; turn++) {
                    CountDownLatch asked = new CountDownLatch(1);
                    Caller.Action release = lock.get(asked);
                    assertThat(inside.incrementAndGet()).as("inside").isOne();
                    times += isAsked(asked) ? 1 : 0;
                    inside.decrementAndGet();
                    release.run();
                }
                over.set(true);
                return times;
            });
        }

        private boolean isAsked(CountDownLatch asked) throws InterruptedException {
            while (!asked.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                if (over.get()) {
                    return false;
                }
            }
            return true;
        }
    }
}
