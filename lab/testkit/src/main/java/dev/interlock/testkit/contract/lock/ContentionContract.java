package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.history.FencedCell;
import dev.interlock.testkit.history.HistoryChecker;
import dev.interlock.testkit.history.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads of several clients that compete: no update is lost, no two are inside, every token is larger (I1, I2, I3).
 */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface ContentionContract extends LockFixture {

    /** Both forms, three clients, four threads each, and a counter that nothing else protects. */
    @Tag(Effort.SCALED)
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    default void I02_contention_losesNoUpdate() {
        int rounds = Effort.pick(60, 3000);
        String name = clients().name();
        Inside inside = new Inside(12);
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int client = 0; client < 3; client++) {
            Interlock interlock = clients().open();
            for (int thread = 0; thread < 4; thread++) {
                String owner = client + "/" + thread;
                DistributedLock lock = interlock.lock(name);
                callers.add(Caller.startAction(() -> {
                    inside.comes();
                    for (int i = 0; i < rounds; i++) {
                        if (i % 2 == 0) {
                            insideLockForm(lock, owner, inside);
                        } else {
                            insideHandleForm(lock, owner, inside);
                        }
                    }
                }));
            }
        }
        callers.forEach(Caller::loopResult);

        inside.check(12 * rounds);
        await().until(() -> !clients().open().lock(name).isLocked());
    }

    private static void insideLockForm(DistributedLock lock, String owner, Inside inside) {
        lock.lock();
        try {
            inside.work(lock.heldLease(), owner);
        } finally {
            lock.unlock();
        }
    }

    private static void insideHandleForm(DistributedLock lock, String owner, Inside inside)
            throws InterruptedException {
        try (Lease lease = lock.acquire()) {
            inside.work(lease, owner);
        }
    }

    /**
     * What the lock protects. Whoever is inside stays there until all have come: on a busy machine the first would
     * otherwise be through before the second runs.
     */
    final class Inside {
        private static final long WORK_NANOS = 20_000;

        private final HistoryChecker history = new HistoryChecker();
        private final FencedCell cell = new FencedCell();
        private final CountDownLatch absent;

        /** Not thread-safe on purpose: only the lock protects it. */
        private long counter;

        Inside(int callers) {
            this.absent = new CountDownLatch(callers);
        }

        /** To be called before the first lock. */
        void comes() {
            absent.countDown();
        }

        void work(Lease lease, String owner) {
            long begin = System.nanoTime();
            long seen = counter;
            cell.write(lease.token(), owner, value -> value + 1);
            awaitAll();
            // Others get to run between the reading and the writing.
            LockSupport.parkNanos(WORK_NANOS);
            counter = seen + 1;
            history.addUntilNow(lease.name(), owner, lease.token(), begin);
        }

        private void awaitAll() {
            try {
                assertThat(absent.await(Patience.seconds(), TimeUnit.SECONDS))
                        .as("all have come")
                        .isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError("Interrupted", e);
            }
        }

        void check(int entries) {
            assertThat(counter).isEqualTo(entries);
            assertThat(cell.value()).isEqualTo(entries);
            assertThat(cell.refused()).isZero();
            assertThat(history.size()).isEqualTo(entries);
            history.check();
        }
    }

    /** Leases that end by themselves: their intervals, as their holders see them, never overlap. */
    @Tag(Effort.SCALED)
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    default void I02_contention_ofLeasesThatEnd_neverOverlaps() {
        int rounds = Effort.pick(6, 200);
        String name = clients().name();
        HistoryChecker history = new HistoryChecker();
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int client = 0; client < 3; client++) {
            String owner = "client " + client;
            DistributedLock lock = clients().open().lock(name);
            callers.add(Caller.startAction(() -> {
                for (int seen = 0; seen < rounds; ) {
                    Lease lease = lock.acquire(LeaseTerm.fixed(Duration.ofMillis(60)));
                    seen += workUntilTheEnd(lease, owner, history) ? 1 : 0;
                }
            }));
        }
        callers.forEach(Caller::loopResult);

        assertThat(history.size()).isEqualTo(3 * rounds);
        history.check();
    }

    /** Whether the lease was valid when it was looked at: on a slow machine it may be over before. */
    private static boolean workUntilTheEnd(Lease lease, String owner, HistoryChecker history) {
        boolean leaves = ThreadLocalRandom.current().nextInt(4) == 0;
        long begin = System.nanoTime();
        long valid = begin;
        boolean any = false;
        for (long now = begin; lease.isValid() && (!leaves || now - begin < 10_000_000); now = System.nanoTime()) {
            // The clock was read before the check: at that moment the lease was valid.
            valid = now;
            any = true;
            Thread.onSpinWait();
        }
        if (any) {
            history.add(new Hold(lease.name(), owner, lease.token(), begin, valid));
        }
        if (leaves) {
            lease.close();
        }
        return any;
    }
}
