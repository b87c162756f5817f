package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Each hold keeps its own term (P06). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface LeaseTermContract extends LockFixture {

    /** Longer than a busy machine keeps a renewal waiting. */
    LeaseTerm RENEWING = LeaseTerm.renewing(Duration.ofMillis(1500));

    @Test
    default void P06_aNestedFixedHold_doesNotEndRenewal() throws Exception {
        DistributedLock lock = lock();
        lock.lock(RENEWING);
        lock.lock(LeaseTerm.fixed(Duration.ofMillis(100)));
        assertThat(lock.tryLock(BRIEF, LeaseTerm.fixed(Duration.ofMillis(100)))).isTrue();
        lock.unlock();
        lock.unlock();

        awaitOver(RENEWING.length().multipliedBy(2));

        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(elsewhere(lock).tryLock()).isFalse();
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    default void P06_aNestedRenewingHold_doesNotProlongAFixedOne() {
        DistributedLock lock = lock();
        lock.lock(LeaseTerm.fixed(Duration.ofMillis(300)));
        lock.lock(LeaseTerm.renewing());

        await().pollInSameThread().until(() -> !lock.isHeldByCurrentThread());
        await().until(() -> !lock.isLocked());
        assertThat(lock.holdCount()).isEqualTo(2);
    }

    @Test
    default void P06_anotherThreadsAttempt_doesNotShortenTheLease() {
        DistributedLock lock = lock();
        lock.lock(RENEWING);
        assertThat(Caller.test(
                        () -> LockFixture.answer(() -> lock.tryLock(BRIEF, LeaseTerm.fixed(Duration.ofMillis(50))))))
                .isFalse();
        assertThat(Caller.test(() -> LockFixture.answer(
                                () -> lock.tryAcquire(Duration.ZERO, LeaseTerm.fixed(Duration.ofMillis(50))))
                        .isEmpty()))
                .isTrue();

        awaitOver(RENEWING.length().multipliedBy(2));

        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
    }

    /** The next caller of this process gets the term that it asked for, not what is left of the one before. */
    @Test
    default void P06_handedOver_eachHoldHasItsOwnTerm() throws Exception {
        DistributedLock lock = lock();
        Lease renewing = lock.acquire(LeaseTerm.renewing(Duration.ofSeconds(30)));
        Caller<Lease> nextFixed = Caller.start(() -> lock.acquire(LeaseTerm.fixed(Duration.ofMillis(900))))
                .awaitBlocked();
        renewing.close();
        Lease fixed = nextFixed.result();
        assertThat(fixed.remaining()).isLessThanOrEqualTo(Duration.ofMillis(900));
        assertThat(lock.inspect().holders().get(0).remainingLease()).isLessThanOrEqualTo(Duration.ofMillis(900));

        Caller<Lease> nextRenewing = Caller.start(() -> lock.acquire(RENEWING)).awaitBlocked();
        fixed.close();
        try (Lease last = nextRenewing.result()) {
            assertThat(last.token()).isGreaterThan(fixed.token());
            awaitOver(RENEWING.length().multipliedBy(2));
            last.ensureValid();
        }
    }

    /** A fixed lease that was handed over ends after its own length. */
    @Test
    default void P06_handedOver_aFixedLeaseEnds() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        Lease renewing = lock.acquire(LeaseTerm.renewing(Duration.ofSeconds(30)));
        Caller<Lease> next = Caller.start(() -> lock.acquire(LeaseTerm.fixed(Duration.ofMillis(400))))
                .awaitBlocked();
        renewing.close();
        Lease fixed = next.result();

        try (Stopwatch watch = new Stopwatch()) {
            other.acquire(LONG).close();
            watch.assertAtMost(Duration.ofSeconds(2), "the end of a fixed lease of 400 ms, and the poll cap");
        }
        assertThat(fixed.isValid()).isFalse();
    }

    @Test
    default void options_giveTheTermOfThoseWhoNameNone() throws Exception {
        LockOptions options = LockOptions.defaults().lease(LeaseTerm.fixed(Duration.ofSeconds(20)));
        DistributedLock lock =
                clients().open(b -> b.lockOptions(options)).lock(clients().name());
        try (Lease lease = lock.acquire()) {
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
        }
        lock.lock();
        assertThat(lock.remainingLease()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
        lock.unlock();
    }

    /** Lets this time pass: longer than a lease that is not renewed. */
    private static void awaitOver(Duration length) {
        long start = System.nanoTime();
        await().atMost(AMPLE).until(() -> System.nanoTime() - start > length.toNanos());
    }
}
