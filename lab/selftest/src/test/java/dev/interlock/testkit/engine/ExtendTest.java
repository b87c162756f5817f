package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fault.FaultyStore;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rules of {@code extend} that the engine decides alone. */
class ExtendTest extends EngineSuite {

    /** A renewing lease that is extended is not shortened by the next renewal, and is still renewed later. */
    @Test
    void extend_ofARenewingLease_isKeptByRenewal() throws Exception {
        DistributedLock lock = lock();
        Duration ttl = Duration.ofMillis(600);
        DistributedLock marker = clients().open().lock(clients().name());
        try (Lease lease =
                Patience.inTime(() -> extended(lock.acquire(LeaseTerm.renewing(ttl)), Duration.ofSeconds(20)))) {
            awaitEnd(marker, ttl);

            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(10));
            assertThat(lock.inspect().holders().get(0).remainingLease()).isGreaterThan(Duration.ofSeconds(10));
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
    void extend_lengths_areChecked() throws Exception {
        try (Lease lease = lock().acquire()) {
            assertThatThrownBy(() -> lease.extend(Duration.ofMillis(49))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> lease.extend(Duration.ofDays(366))).isInstanceOf(IllegalArgumentException.class);
            assertThat(lease.isValid()).isTrue();
        }
    }

    /** I8: nothing revives a lease. */
    @Test
    void extend_ofALostLease_throws_andRevivesNothing() throws Exception {
        DistributedLock lock = lock();
        Lease lease = lock.acquire(LeaseTerm.fixed(Duration.ofMillis(200)));
        await().until(() -> !lease.isValid());

        assertThatThrownBy(() -> lease.extend(Duration.ofMinutes(1))).isInstanceOf(LockLostException.class);
        assertThat(lease.isValid()).isFalse();
        await().until(() -> !lock.isLocked());
    }

    @Test
    void extend_withASilentStore_throws_andKeepsTheLease() throws Exception {
        FaultyStore faulty = faultyStore();
        DistributedLock lock = clients()
                .open(faulty.store(), b -> b.attemptTimeout(Duration.ofMillis(300))
                        .closeTimeout(Duration.ofMillis(300)))
                .lock(clients().name());
        Lease lease = lock.acquire(LeaseTerm.fixed(Duration.ofSeconds(60)));
        faulty.blackHole().strike();

        // On a machine without a free processor the time may be over before anything was sent.
        await("a request is lost").pollInSameThread().until(() -> {
            assertThatThrownBy(() -> lease.extend(Duration.ofMinutes(10)))
                    .isInstanceOf(StoreUnavailableException.class);
            return faulty.blackHole().hits() > 0;
        });
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(60));
        faulty.blackHole().heal();
        lease.close();
    }
}
