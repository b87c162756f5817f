package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each hold keeps its own term (P06). */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class LeaseTermTest extends EngineSuite {

    @Test
    void P06_aNestedFixedHold_doesNotEndRenewal() throws Exception {
        DistributedLock lock = lock();
        lock.lock(RENEWED);
        lock.lock(LeaseTerm.fixed(Duration.ofMillis(100)));
        assertThat(lock.tryLock(BRIEF, LeaseTerm.fixed(Duration.ofMillis(100)))).isTrue();
        lock.unlock();
        lock.unlock();

        LockFixture.awaitRenewal(lock.heldLease());

        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(elsewhere(lock).tryLock()).isFalse();
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void P06_aNestedRenewingHold_doesNotProlongAFixedOne() throws Exception {
        DistributedLock lock = Patience.inTime(() -> nested(lock()));
        await().pollInSameThread().until(() -> !lock.isHeldByCurrentThread());
        await().until(() -> !lock.isLocked());
        assertThat(lock.holdCount()).isEqualTo(2);
    }

    /** This lock, held for a short time and once more within it. */
    private static Optional<DistributedLock> nested(DistributedLock lock) {
        lock.lock(LeaseTerm.fixed(Duration.ofMillis(300)));
        try {
            lock.lock(LeaseTerm.renewing());
            return Optional.of(lock);
        } catch (LockLostException e) {
            return Optional.empty();
        }
    }

    @Test
    void P06_anotherThreadsAttempt_doesNotShortenTheLease() {
        DistributedLock lock = lock();
        lock.lock(RENEWED);
        assertThat(Caller.test(
                        () -> LockFixture.answer(() -> lock.tryLock(BRIEF, LeaseTerm.fixed(Duration.ofMillis(50))))))
                .isFalse();
        assertThat(Caller.test(() -> LockFixture.answer(
                                () -> lock.tryAcquire(Duration.ZERO, LeaseTerm.fixed(Duration.ofMillis(50))))
                        .isEmpty()))
                .isTrue();

        LockFixture.awaitRenewal(lock.heldLease());

        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
    }

    /** The next caller of this process gets the term that it asked for, not what is left of the one before. */
    @Test
    void P06_handedOver_eachHoldHasItsOwnTerm() throws Exception {
        DistributedLock lock = lock();
        Lease renewing = lock.acquire(LeaseTerm.renewing(Duration.ofMinutes(30)));
        Caller<Lease> nextFixed = Caller.start(() -> lock.acquire(LeaseTerm.fixed(Duration.ofMinutes(5))))
                .awaitBlocked();
        renewing.close();
        Lease fixed = nextFixed.result();
        assertThat(fixed.remaining()).isLessThanOrEqualTo(Duration.ofMinutes(5));
        assertThat(lock.inspect().holders().get(0).remainingLease()).isLessThanOrEqualTo(Duration.ofMinutes(5));

        Caller<Lease> nextRenewing = Caller.start(() -> lock.acquire(RENEWED)).awaitBlocked();
        fixed.close();
        try (Lease last = nextRenewing.result()) {
            assertThat(last.token()).isGreaterThan(fixed.token());
            LockFixture.awaitRenewal(last);
            last.ensureValid();
        }
    }

    /** A fixed lease that was handed over ends after its own length. */
    @Test
    void P06_handedOver_aFixedLeaseEnds() throws Exception {
        endAHandedOverLease(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void P06_handedOver_aFixedLeaseEnds_inTime() throws Exception {
        endAHandedOverLease(Duration.ofSeconds(2));
    }

    private void endAHandedOverLease(Duration limit) throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        Lease renewing = lock.acquire(LeaseTerm.renewing(Duration.ofSeconds(30)));
        Caller<Lease> next = Caller.start(() -> lock.acquire(LeaseTerm.fixed(Duration.ofMillis(400))))
                .awaitBlocked();
        renewing.close();
        Lease fixed = next.result();

        try (Stopwatch watch = new Stopwatch()) {
            other.acquire(LONG).close();
            watch.assertAtMost(limit, "the end of a fixed lease of 400 ms, and the poll cap");
        }
        assertThat(fixed.isValid()).isFalse();
    }

    @Test
    void options_giveTheTermOfThoseWhoNameNone() throws Exception {
        LockOptions options = LockOptions.builder()
                .lease(LeaseTerm.fixed(Duration.ofSeconds(20)))
                .build();
        DistributedLock lock =
                clients().open(b -> b.lockOptions(options)).lock(clients().name());
        try (Lease lease = lock.acquire()) {
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
        }
        lock.lock();
        assertThat(lock.remainingLease()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
        lock.unlock();
    }
}
