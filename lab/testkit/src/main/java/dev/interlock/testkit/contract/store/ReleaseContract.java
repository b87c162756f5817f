package dev.interlock.testkit.contract.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Release: by the owner, repeated, by a stranger, by force (I8). */
interface ReleaseContract extends StoreFixture {

    @Test
    default void release_ofAHeldClaim_isTrueOnce_andFreesTheName() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim claim = a.hold(lock);

        assertThat(a.release(claim)).isTrue();
        assertThat(a.release(claim)).isFalse();

        assertThat(b.inspect(lock).isLocked()).isFalse();
        b.granted(b.claim(lock));
    }

    @Test
    default void release_ofAClaimThatNeverWas_isFalse() {
        StoreClient a = client();
        LockId lock = clients().lock();

        assertThat(a.release(a.claim(lock))).isFalse();
        assertThat(a.inspect(lock).holders()).isEmpty();
    }

    /** I8. */
    @Test
    default void release_ofAnotherClaim_leavesTheHolderAlone() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);

        assertThat(b.release(b.claim(lock))).isFalse();
        assertThat(a.release(a.claim(lock))).isFalse();

        assertThat(a.renew(held)).isEqualTo(Renewal.HELD);
    }

    /** I8: the late release of an ended acquisition. */
    @Test
    default void release_repeatedWhileTheNextHolds_leavesTheNextAlone() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim old = a.hold(lock);
        a.release(old);
        Claim next = b.hold(lock);

        assertThat(a.release(old)).isFalse();

        assertThat(b.renew(next)).isEqualTo(Renewal.HELD);
    }

    @Test
    default void release_byForce_endsTheClaim_andTellsTheOwner() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);

        assertThat(b.release(held.byForce())).isTrue();
        assertThat(b.release(held.byForce())).isFalse();

        assertThat(b.inspect(lock).isLocked()).isFalse();
        assertThat(a.renew(held)).isEqualTo(Renewal.FORCED);
        assertThat(a.release(held)).isFalse();
    }

    @Test
    default void release_byForce_tellsTheOwner_whenAnotherHoldsMeanwhile() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);
        b.release(held.byForce());
        Claim next = b.hold(lock);

        assertThat(a.renew(held)).isEqualTo(Renewal.FORCED);
        assertThat(b.renew(next)).isEqualTo(Renewal.HELD);
    }

    @Test
    default void release_byForce_ofAClaimThatIsNotHeld_leavesTheHolderAlone() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);

        assertThat(b.release(b.claim(lock).byForce())).isFalse();

        assertThat(a.renew(held)).isEqualTo(Renewal.HELD);
    }

    @Test
    default void release_byForce_wakesWhoWaits() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);
        Claim waiting = b.await(lock, Duration.ofMillis(1));

        a.release(held.byForce());

        new Wakes(storeWakes(), wakesNobodyElse()).reach(b, lock);
        b.granted(waiting);
    }
}
