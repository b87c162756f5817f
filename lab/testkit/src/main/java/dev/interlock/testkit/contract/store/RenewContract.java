package dev.interlock.testkit.contract.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Renew: the four answers, the new length, and large mixed batches (I8). */
interface RenewContract extends StoreFixture {

    @Test
    default void renew_ofAHeldClaim_setsTheLeaseAnew_longerAndShorter() {
        StoreClient a = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock, Duration.ofSeconds(20));

        assertThat(a.renew(held.withLease(Duration.ofSeconds(200)))).isEqualTo(Renewal.HELD);
        assertThat(a.holder(lock).remainingLease()).isBetween(Duration.ofSeconds(150), Duration.ofSeconds(200));

        assertThat(a.renew(held)).isEqualTo(Renewal.HELD);
        assertThat(a.holder(lock).remainingLease()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(20));
    }

    @Test
    default void renew_ofAReleasedClaim_isDeleted_andBringsNothingBack() {
        StoreClient a = client();
        LockId lock = clients().lock();
        Claim released = a.hold(lock);
        a.release(released);

        assertThat(a.renew(released)).isEqualTo(Renewal.DELETED);

        assertThat(a.inspect(lock).isLocked()).isFalse();
    }

    @Test
    default void renew_whileAnotherHolds_isTaken_andLeavesTheOtherAlone() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim old = a.hold(lock);
        a.release(old);
        Claim held = b.hold(lock, Duration.ofSeconds(20));

        assertThat(a.renew(old.withLease(Duration.ofMinutes(10)))).isEqualTo(Renewal.TAKEN);

        assertThat(b.holder(lock).owner()).isEqualTo(held.owner().value());
        assertThat(b.holder(lock).remainingLease()).isLessThanOrEqualTo(Duration.ofSeconds(20));
    }

    @Test
    default void renew_ofNothing_isEmpty() {
        assertThat(client().renew(List.of())).isEmpty();
    }

    @Test
    default void renew_ofSeveralHundredMixedClaims_answersForEach() {
        StoreClient a = client();
        StoreClient b = client();
        Map<Claim, Renewal> expected = new HashMap<>();
        List<Claim> toForce = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            Claim claim = a.hold(clients().lock());
            Renewal renewal = bringAbout(claim, i, a, b);
            expected.put(claim.withLease(Duration.ofMinutes(7)), renewal);
            if (renewal == Renewal.FORCED) {
                toForce.add(claim);
            }
        }
        // At last: a store remembers it for a minute.
        toForce.forEach(claim -> b.release(claim.byForce()));

        Map<Claim, Renewal> actual = a.renew(new ArrayList<>(expected.keySet()));

        assertThat(actual).isEqualTo(expected);
        assertLengthened(expected, a);
    }

    private static Renewal bringAbout(Claim claim, int i, StoreClient a, StoreClient b) {
        switch (i % 8) {
            case 1 -> {
                a.release(claim);
                return Renewal.DELETED;
            }
            case 3 -> {
                a.release(claim);
                b.hold(claim.id());
                return Renewal.TAKEN;
            }
            case 6 -> {
                return Renewal.FORCED;
            }
            default -> {
                return Renewal.HELD;
            }
        }
    }

    private static void assertLengthened(Map<Claim, Renewal> renewed, StoreClient a) {
        List<Claim> held = renewed.keySet().stream()
                .filter(claim -> renewed.get(claim) == Renewal.HELD)
                .limit(5)
                .toList();
        assertThat(held).hasSize(5);
        for (Claim claim : held) {
            assertThat(a.holder(claim.id()).remainingLease()).isGreaterThan(StoreClient.LONG_LEASE);
        }
    }
}
