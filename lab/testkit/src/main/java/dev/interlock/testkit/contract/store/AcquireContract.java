package dev.interlock.testkit.contract.store;

import static dev.interlock.testkit.fixture.StoreClient.LONG_LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Acquire: free, held by the same claim, held by another; and the fences (I1, I3). */
interface AcquireContract extends StoreFixture {

    @Test
    default void acquire_ofAFreeName_isGranted() {
        StoreClient a = client();
        LockId lock = clients().lock();

        long fence = a.granted(a.claim(lock));

        assertThat(fence).isBetween(1L, Attempt.LARGEST_FENCE);
    }

    @Test
    default void acquire_ofAHeldName_isBusy_forAnotherClientAndForTheSame() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        a.hold(lock);

        Duration forB = b.busy(b.claim(lock));
        Duration forA = a.busy(a.claim(lock));

        assertThat(forB).isBetween(Duration.ZERO, LONG_LEASE);
        assertThat(forA).isBetween(Duration.ZERO, LONG_LEASE);
    }

    @Test
    default void acquire_thatIsBusy_leavesTheHolderAlone() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);
        LockId shortLease = clients().lock();
        a.hold(shortLease, Duration.ofSeconds(30));

        b.busy(b.claim(lock));
        b.busy(b.claim(shortLease, LONG_LEASE));

        assertThat(a.holder(lock).owner()).isEqualTo(held.owner().value());
        assertThat(a.holder(shortLease).remainingLease()).isLessThanOrEqualTo(Duration.ofSeconds(30));
    }

    /** I7: what makes a lost answer harmless. */
    @Test
    default void acquire_repeated_grantsTheSameFence_andOneReleaseIsEnough() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim claim = a.claim(lock);
        long fence = a.granted(claim);

        assertThat(a.granted(claim)).isEqualTo(fence);
        assertThat(a.granted(claim.waiting(Duration.ofSeconds(1)))).isEqualTo(fence);
        assertThat(a.release(claim)).isTrue();

        b.granted(b.claim(lock));
    }

    @Test
    default void acquire_repeated_countsTheLeaseAnew() {
        StoreClient a = client();
        LockId lock = clients().lock();
        Claim claim = a.hold(lock, Duration.ofSeconds(20));

        a.granted(claim.withLease(Duration.ofSeconds(200)));
        assertThat(a.holder(lock).remainingLease()).isBetween(Duration.ofSeconds(150), Duration.ofSeconds(200));

        a.granted(claim);
        assertThat(a.holder(lock).remainingLease()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(20));
    }

    /** Repeating the first of two claims of one client does not touch the second. */
    @Test
    default void acquire_repeatedAfterItsRelease_whileAnotherHolds_isBusy() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim old = a.hold(lock);
        a.release(old);
        Claim held = b.hold(lock);

        a.busy(old);

        assertThat(b.holder(lock).owner()).isEqualTo(held.owner().value());
    }

    /** I3. */
    @Test
    default void fences_increaseStrictly_overReacquisitionAndOverClients() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        long last = 0;
        for (int i = 0; i < 50; i++) {
            StoreClient next = i % 3 == 0 ? a : b;
            Claim claim = next.claim(lock);
            long fence = next.granted(claim);
            assertThat(fence).as("fence of round %d", i).isGreaterThan(last);
            last = fence;
            next.release(claim);
        }
    }

    /** I3, for a client that is opened when all others are gone. */
    @Test
    default void fences_increaseStrictly_overTheLifeOfClients() {
        LockId lock = clients().lock();
        long last = 0;
        for (int i = 0; i < 3; i++) {
            StoreClient client = client();
            Claim claim = client.claim(lock);
            long fence = client.granted(claim);
            assertThat(fence).isGreaterThan(last);
            last = fence;
            client.release(claim);
            client.close();
        }
    }

    @Test
    default void names_doNotTouchEachOther() {
        StoreClient a = client();
        StoreClient b = client();
        LockId one = clients().lock();
        LockId other = clients().lock();
        Claim first = a.hold(one);
        Claim second = b.hold(other);

        assertThat(a.release(first)).isTrue();

        assertThat(b.holder(other).owner()).isEqualTo(second.owner().value());
        assertThat(b.inspect(one).isLocked()).isFalse();
    }
}
