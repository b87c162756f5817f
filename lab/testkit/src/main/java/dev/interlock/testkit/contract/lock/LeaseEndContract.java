package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Leases that end by themselves: what the holder sees, and what it is told (I4, I8, P02). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface LeaseEndContract extends LockFixture {

    LeaseTerm SHORT_FIXED = LeaseTerm.fixed(Duration.ofMillis(250));

    /** I2: it ends here before the store may give the name away. */
    @Test
    default void leaseEnd_fixed_endsHere_beforeAnotherHolds() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        for (int i = 0; i < 5; i++) {
            Lease lease = lock.acquire(SHORT_FIXED);
            try (Lease next = other.acquire(LONG)) {
                assertThat(lease.isValid()).isFalse();
                assertThat(next.token()).isGreaterThan(lease.token());
            }
        }
    }
}
