package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** {@code extend}. */
interface ExtendContract extends LockFixture {

    @Test
    default void extend_ofAFixedLease_makesItLonger_hereAndInTheStore() throws Exception {
        DistributedLock lock = lock();
        try (Lease lease = lock.acquire(LeaseTerm.fixed(Duration.ofSeconds(20)))) {
            lease.extend(Duration.ofMinutes(3));

            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(150), Duration.ofMinutes(3));
            assertThat(lock.inspect().holders().get(0).remainingLease())
                    .isBetween(Duration.ofSeconds(150), Duration.ofMinutes(3));
        }
    }

    @Test
    default void extend_neverShortens() throws Exception {
        DistributedLock lock = lock();
        try (Lease lease = lock.acquire(LONG)) {
            lease.extend(Duration.ofSeconds(1));

            assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(4));
            assertThat(lock.inspect().holders().get(0).remainingLease()).isGreaterThan(Duration.ofMinutes(4));
        }
    }

    @Test
    default void extend_ofAShortLease_outlivesIt() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        DistributedLock marker = clients().open().lock(clients().name());
        try (Lease lease = Patience.inTime(
                () -> extended(lock.acquire(LeaseTerm.fixed(Duration.ofMillis(500))), Duration.ofSeconds(30)))) {
            awaitEnd(marker, Duration.ofMillis(500));
            assertThat(lease.isValid()).isTrue();
            assertThat(other.tryLock()).isFalse();
        }
    }

    private static Optional<Lease> extended(Lease lease, Duration length) {
        try {
            lease.extend(length);
            return Optional.of(lease);
        } catch (LockLostException | StoreUnavailableException e) {
            // A busy store answers too late for a lease that is so short.
            lease.release();
            return Optional.empty();
        }
    }

    /** Lets a lease of this length end, of another lock: one that began before it would be over, too. */
    private static void awaitEnd(DistributedLock marker, Duration length) throws InterruptedException {
        Lease lease = marker.acquire(LeaseTerm.fixed(length));
        await().until(() -> !lease.isValid());
    }

    @Test
    default void extend_finds_thatTheClaimIsGone() throws Exception {
        DistributedLock lock = lock();
        Lease lease = lock.acquire(LONG);
        operator().forceUnlock(lock.name());

        assertThatThrownBy(() -> lease.extend(Duration.ofMinutes(10))).isInstanceOf(LockLostException.class);
        assertThat(lease.isValid()).isFalse();
    }
}
