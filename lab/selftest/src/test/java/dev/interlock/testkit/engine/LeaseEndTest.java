package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Leases that end by themselves: what the holder sees, and the outcomes that it is notified of (I4, I8, P02). */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class LeaseEndTest extends EngineSuite {

    private static final LeaseTerm SHORT_FIXED = LeaseTerm.fixed(Duration.ofMillis(250));

    @Test
    void leaseEnd_fixed_isTold_once() throws Exception {
        endAFixedLease(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void leaseEnd_fixed_isTold_inTime() throws Exception {
        endAFixedLease(SHORT_FIXED.length().plusMillis(50));
    }

    private void endAFixedLease(Duration limit) throws Exception {
        DistributedLock lock = lock();
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        Lease lease = lock.acquire(SHORT_FIXED);
        lease.onLost(told::add);
        try (Stopwatch watch = new Stopwatch()) {
            await().pollInterval(Duration.ofMillis(1)).until(() -> !told.isEmpty());
            watch.assertAtMost(limit, "the loss of a fixed lease");
        }

        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThatThrownBy(lease::ensureValid).isInstanceOf(LockLostException.class);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(LossCause.EXPIRED));
        await().during(BRIEF).until(() -> told.size() == 1);
        assertThat(told).containsExactly(LossCause.EXPIRED);
    }

    @Test
    void onLost_afterTheLoss_isCalledAtOnce_andOncePerListener() throws Exception {
        Lease lease = lock().acquire(SHORT_FIXED);
        await().until(() -> !lease.isValid());
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();

        lease.onLost(told::add);
        lease.onLost(told::add);

        await().until(() -> told.size() == 2);
        await().during(BRIEF).until(() -> told.size() == 2);
        assertThat(told).containsOnly(LossCause.EXPIRED);
    }

    @Test
    void leaseEnd_onLost_isNeverTold_afterARelease() throws Exception {
        DistributedLock lock = lock();
        Queue<LossCause> told = Patience.inTime(() -> {
            Queue<LossCause> byRelease = new ConcurrentLinkedQueue<>();
            Lease lease = lock.acquire(SHORT_FIXED);
            lease.onLost(byRelease::add);
            boolean lost = lease.release().isLost();
            lease.onLost(byRelease::add);
            return lost ? Optional.empty() : Optional.of(byRelease);
        });
        Lease later = lock.acquire(SHORT_FIXED);

        // The later lease ends after the released one would have.
        await().until(() -> !later.isValid());
        await().during(BRIEF).until(told::isEmpty);
    }

    /** I9: an exception of a listener ends nothing of ours. */
    @Test
    void leaseEnd_onLost_thatThrows_doesNoHarm() throws Exception {
        DistributedLock lock = lock();
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        for (int i = 1; i <= 3; i++) {
            Lease lease = lock.acquire(SHORT_FIXED);
            lease.onLost(cause -> {
                throw new IllegalStateException("of the listener");
            });
            lease.onLost(told::add);
            int expected = i;
            await().until(() -> told.size() == expected);
        }
    }

    @Test
    void leaseEnd_maxHold_isExpired_thoughRenewed() throws Exception {
        endAtTheMaximum(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void leaseEnd_maxHold_isExpired_inTime() throws Exception {
        endAtTheMaximum(Duration.ofMillis(2550));
    }

    private void endAtTheMaximum(Duration limit) throws Exception {
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        LeaseTerm term = RENEWED.maxHold(Duration.ofMillis(2500));
        DistributedLock lock = lock();
        long asked = System.nanoTime();
        Lease lease = lock.acquire(term);
        lease.onLost(told::add);
        try (Stopwatch watch = new Stopwatch()) {
            await().pollInterval(Duration.ofMillis(1)).until(() -> !told.isEmpty());
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isGreaterThanOrEqualTo(Duration.ofMillis(2500));
            watch.assertAtMost(limit, "a maximum hold of 2500 ms");
        }
        assertThat(told).containsExactly(LossCause.EXPIRED);
        await().until(() -> !lock.isLocked());
    }

    /**
     * The row "held lease was lost" of the truth table: the thread that lost it is told by every method, until it has
     * unlocked.
     */
    @Test
    void P02_leaseEnd_lockForm_everyReentryThrows_andUnlockCountsDown() throws Exception {
        DistributedLock lock = lock();
        Patience.inTime(() -> lockTwice(lock));
        await().pollInSameThread().until(() -> !lock.isHeldByCurrentThread());
        Caller.Action[] ways = {
            lock::lock,
            () -> lock.lock(LONG),
            lock::lockInterruptibly,
            lock::tryLock,
            () -> lock.tryLock(BRIEF),
            () -> lock.tryLock(BRIEF, LONG),
            () -> lock.tryLock(1, TimeUnit.SECONDS)
        };
        for (Caller.Action way : ways) {
            assertThatThrownBy(way::run).isInstanceOf(LockLostException.class);
            assertThat(lock.holdCount()).isEqualTo(2);
            assertThat(lock.remainingLease()).isZero();
        }
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(lock.holdCount()).isEqualTo(1);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(lock.holdCount()).isZero();

        assertThatThrownBy(lock::unlock).isNotInstanceOf(LockLostException.class);
        lock.lock(LONG);
        lock.unlock();
    }

    private static Optional<DistributedLock> lockTwice(DistributedLock lock) {
        lock.lock(SHORT_FIXED);
        try {
            lock.lock();
            return Optional.of(lock);
        } catch (LockLostException e) {
            assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
            return Optional.empty();
        }
    }

    @Test
    void P02_leaseEnd_theExceptionTellsWhatHappened() throws Exception {
        DistributedLock lock = lock();
        String owner = Patience.inTime(() -> ownerOf(lock));
        Lease lease = lock.heldLease();
        await().until(() -> !lease.isValid());
        await().pollDelay(Duration.ofMillis(30)).until(() -> true);

        assertThatThrownBy(lock::unlock).isInstanceOfSatisfying(LockLostException.class, lost -> {
            assertThat(lost.lockName()).isEqualTo(lock.name());
            assertThat(lost.owner()).isEqualTo(owner);
            assertThat(lost.token()).isEqualTo(lease.token());
            assertThat(lost.lossCause()).isEqualTo(LossCause.EXPIRED);
            assertThat(lost.heldFor()).isBetween(Duration.ofMillis(200), Patience.limit());
            assertThat(lost.sinceRenewal()).isBetween(Duration.ofMillis(200), Patience.limit());
            assertThat(lost.late()).isBetween(Duration.ofMillis(1), lost.heldFor());
            assertThat(lost).hasMessageContaining(lock.name()).hasMessageContaining(owner);
        });
    }

    /** Whose the lock is that it takes for this thread. */
    private static Optional<String> ownerOf(DistributedLock lock) {
        lock.lock(LeaseTerm.fixed(Duration.ofMillis(500)));
        Optional<String> owner =
                lock.inspect().holders().stream().map(LockStatus.Holder::owner).findFirst();
        if (owner.isEmpty()) {
            assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        }
        return owner;
    }

    /** Never acquired, lost, of another thread, released twice: each says something else. */
    @Test
    void P02_fiveOutcomes_areDistinct() throws Exception {
        DistributedLock lock = lock();
        Throwable neverAcquired = Caller.startAction(lock::unlock).failure();
        assertThat(neverAcquired)
                .isExactlyInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContainingAll(lock.name(), "'caller'", "no thread of this process holds it");

        lock.lock();
        Throwable ofOther = Caller.startAction(lock::unlock).failure();
        assertThat(ofOther)
                .isExactlyInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContainingAll(
                        lock.name(),
                        "'caller'",
                        "acquired by thread '" + Thread.currentThread().getName() + "' (id "
                                + Thread.currentThread().getId() + ")");
        lock.unlock();

        Lease lease = lock.acquire();
        lease.release();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);

        lock.lock(SHORT_FIXED);
        await().pollInSameThread().until(() -> !lock.isHeldByCurrentThread());
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);

        Lease over = lock.acquire(SHORT_FIXED);
        await().until(() -> !over.isValid());
        assertThat(over.release()).isEqualTo(ReleaseOutcome.lost(LossCause.EXPIRED));
    }

    @Test
    void P02_run_throwsAfterANormalBody_neverReplacesAnException() {
        DistributedLock lock = lock();
        assertThatThrownBy(() -> lock.run(() -> lose(lock))).isInstanceOf(LockLostException.class);
        assertThat(lock.holdCount()).isZero();

        IllegalArgumentException ofBody = new IllegalArgumentException("of the body");
        assertThatThrownBy(() -> lock.run(() -> {
                    lose(lock);
                    throw ofBody;
                }))
                .isSameAs(ofBody);
        assertThatThrownBy(() -> lock.call(() -> {
                    lose(lock);
                    throw ofBody;
                }))
                .isSameAs(ofBody);
        assertThat(lock.holdCount()).isZero();
        lock.run(() -> assertThat(lock.holdCount()).isEqualTo(1));
    }

    private void lose(DistributedLock lock) {
        operator().forceUnlock(lock.name());
        await().pollInSameThread().until(() -> !lock.isHeldByCurrentThread());
    }
}
