package dev.interlock.testkit.contract.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The end of a lease by the store's clock (I5, I7). */
interface ExpiryContract extends StoreFixture {

    Duration SHORT_LEASE = Duration.ofMillis(300);

    @Test
    default void expiry_freesTheName_notBeforeTheLeaseIsOver() {
        expire(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void expiry_freesTheName_soonAfterTheLeaseIsOver() {
        expire(SHORT_LEASE.plusSeconds(5));
    }

    private void expire(Duration limit) {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim dead = a.claim(lock, SHORT_LEASE);
        long before = System.nanoTime();
        long fence = a.granted(dead);

        long next = awaitGrant(b, b.claim(lock));
        Duration took = Duration.ofNanos(System.nanoTime() - before);

        assertThat(next).isGreaterThan(fence);
        assertThat(took).isBetween(SHORT_LEASE.minus(StoreClient.RESOLUTION), limit);
    }

    @Test
    default void expiry_busy_saysWhatIsLeftOfTheLease() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        a.hold(lock, SHORT_LEASE);

        Attempt attempt = b.acquire(b.claim(lock));

        if (attempt instanceof Attempt.Busy busy) {
            assertThat(busy.retryAfter()).isBetween(Duration.ZERO, SHORT_LEASE);
        }
    }

    @Test
    default void expiry_thenRenew_isDeleted_orTaken_andRevivesNothing() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim dead = a.hold(lock, SHORT_LEASE);
        await().until(() -> !b.inspect(lock).isLocked());

        assertThat(a.renew(dead)).isEqualTo(Renewal.DELETED);
        assertThat(b.inspect(lock).isLocked()).isFalse();

        b.hold(lock);
        assertThat(a.renew(dead)).isEqualTo(Renewal.TAKEN);
    }

    @Test
    default void expiry_thenRelease_isFalse() {
        StoreClient a = client();
        LockId lock = clients().lock();
        Claim dead = a.hold(lock, SHORT_LEASE);
        await().until(() -> !a.inspect(lock).isLocked());

        assertThat(a.release(dead)).isFalse();
    }

    @Test
    default void expiry_isPutOffByRenewal() throws Exception {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = Patience.inTime(() -> renewed(a));
        LockId sibling = clients().lock();
        a.hold(sibling, SHORT_LEASE);

        // The sibling has the lease that the renewed claim had, and is younger: once it is over, the renewed one would
        // be, too.
        await().until(() -> !b.inspect(sibling).isLocked());

        b.busy(b.claim(lock));
    }

    /** A name whose claim was renewed before its short lease was over. */
    private Optional<LockId> renewed(StoreClient client) {
        LockId lock = clients().lock();
        Claim held = client.hold(lock, SHORT_LEASE);
        return client.renew(held.withLease(StoreClient.LONG_LEASE)) == Renewal.HELD
                ? Optional.of(lock)
                : Optional.empty();
    }

    @Test
    default void expiry_thenAcquireByTheSameClient_isGranted() {
        StoreClient a = client();
        LockId lock = clients().lock();
        Claim dead = a.claim(lock, SHORT_LEASE);
        long fence = a.granted(dead);

        assertThat(awaitGrant(a, a.claim(lock))).isGreaterThan(fence);
    }

    private static long awaitGrant(StoreClient client, Claim claim) {
        Attempt granted = await().pollInterval(Duration.ofMillis(5))
                .until(() -> client.acquire(claim), Attempt.Granted.class::isInstance);
        return ((Attempt.Granted) granted).fence();
    }
}
