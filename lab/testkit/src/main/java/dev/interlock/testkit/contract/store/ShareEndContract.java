package dev.interlock.testkit.contract.store;

import static dev.interlock.testkit.contract.store.ReadWriteClaims.await;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.exclusive;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.holdExclusive;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.holdShared;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.holders;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.lock;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.remaining;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.shared;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Claims of a read/write lock that take the place of others, end, or are ended: each for its own time (I3, I5, I6, I8).
 */
interface ShareEndContract extends StoreFixture {

    // ---- one claim for another

    @Test
    default void sharing_replacingAShareByTheWhole_isGrantedIfItWasTheLast() {
        LockId lock = lock(this);
        StoreClient a = client();
        Claim reader = holdShared(a, lock);
        Claim writer = exclusive(a, lock).waiting(Duration.ZERO).replacing(reader.owner());

        a.granted(writer);

        assertThat(holders(a, lock)).containsExactly(writer.owner().value());
    }

    @Test
    default void sharing_replacingAShareByTheWhole_waits_andIsWoken() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        Claim reader = holdShared(a, lock);
        Claim other = holdShared(b, lock);
        Claim writer = exclusive(a, lock).waiting(Duration.ZERO).replacing(reader.owner());

        a.busy(writer);

        assertThat(holders(a, lock)).containsExactly(other.owner().value());
        c.busy(shared(c, lock));
        b.release(other);
        new Wakes(storeWakes(), wakesNobodyElse()).reach(a, lock);
        a.granted(writer.replacing(null));
    }

    @Test
    default void sharing_replacingTheWhole_wakesThoseBefore_andQueuesBehind() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        Claim first = holdExclusive(a, lock);
        Claim reader = await(b, shared(b, lock));
        Claim another = await(c, shared(c, lock));
        Wakes wakes = new Wakes(storeWakes(), wakesNobodyElse());

        Claim next = exclusive(a, lock).waiting(Duration.ZERO).replacing(first.owner());
        a.busy(next);

        wakes.reach(b, lock);
        wakes.reach(c, lock);
        b.granted(reader);
        c.granted(another);
        b.release(reader);
        c.release(another);
        a.granted(next.replacing(null));
    }

    // ---- each for its own time

    /** P17: a reader shortens nobody else's lease, nor does one that is renewed lengthen another's. */
    @Test
    default void P17_sharing_eachHasItsOwnLease() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        Claim brief = shared(a, lock, Duration.ofSeconds(20));
        Claim lasting = shared(b, lock, Duration.ofMinutes(4));
        b.granted(lasting);
        a.granted(brief);

        assertThat(remaining(a, brief)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(20));
        assertThat(remaining(a, lasting)).isBetween(Duration.ofMinutes(3), Duration.ofMinutes(4));

        assertThat(b.renew(lasting.withLease(Duration.ofMinutes(5)))).isEqualTo(Renewal.HELD);
        assertThat(remaining(a, brief)).isLessThanOrEqualTo(Duration.ofSeconds(20));
        assertThat(remaining(a, lasting)).isGreaterThan(Duration.ofMinutes(4));
        assertThat(a.renew(brief)).isEqualTo(Renewal.HELD);
        assertThat(remaining(a, lasting)).isGreaterThan(Duration.ofMinutes(4));
    }

    /** P17: nobody else's renewal keeps the share of a dead client, and its end takes nobody else's away. */
    @Test
    default void P17_sharing_aLeaseThatEnds_endsAlone() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        Claim lasting = holdShared(b, lock);
        Claim dead = shared(a, lock, Duration.ofMillis(300));
        a.granted(dead);
        Claim writer = exclusive(c, lock);

        Awaitility.await().untilAsserted(() -> {
            assertThat(b.renew(lasting)).isEqualTo(Renewal.HELD);
            assertThat(holders(b, lock)).containsExactly(lasting.owner().value());
        });

        assertThat(a.renew(dead)).isNotEqualTo(Renewal.HELD);
        assertThat(a.release(dead)).isFalse();
        c.busy(writer);
        assertThat(b.release(lasting)).isTrue();
        c.granted(writer);
    }

    /** I8: ended by force, one share ends and is told so; the others stay. */
    @Test
    default void sharing_forced_endsOne() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        Claim forced = holdShared(a, lock);
        Claim spared = holdShared(b, lock);

        assertThat(b.release(forced.byForce())).isTrue();

        assertThat(a.renew(forced)).isEqualTo(Renewal.FORCED);
        assertThat(b.renew(spared)).isEqualTo(Renewal.HELD);
        assertThat(b.release(spared)).isTrue();
    }

    @Test
    default void sharing_atRest_nothingIsLeft() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        Claim first = holdShared(a, lock);
        Claim second = holdShared(b, lock);
        Claim writer = await(a, exclusive(a, lock));
        a.release(first);
        b.release(second);
        a.granted(writer);
        assertThat(a.release(writer)).isTrue();

        assertThat(a.inspect(lock).isLocked()).isFalse();
        assertThat(a.waiters(lock)).isEmpty();
        assertThat(a.release(writer)).isFalse();
    }
}
