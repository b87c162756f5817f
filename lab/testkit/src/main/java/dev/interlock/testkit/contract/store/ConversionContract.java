package dev.interlock.testkit.contract.store;

import static dev.interlock.testkit.contract.store.ReadWriteClaims.await;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.exclusive;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.holdExclusive;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.lock;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.modes;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.remaining;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.shared;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A claim that is held as exclusive and acquired as shared becomes shared, without a moment in between (I2, I5, I7).
 */
interface ConversionContract extends StoreFixture {

    @Test
    default void conversion_keepsTheFence_andLetsOthersShare() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        Claim writer = exclusive(a, lock);
        long fence = a.granted(writer);
        Claim reader = shared(b, lock);
        b.busy(reader);

        assertThat(a.granted(writer.inMode(Mode.shared()))).isEqualTo(fence);

        assertThat(modes(a, lock)).containsExactly(Mode.shared());
        assertThat(b.granted(reader)).isGreaterThan(fence);
        b.busy(exclusive(b, lock));
    }

    /** P17: others that share are told, and need not sleep until the lease ends. */
    @Test
    default void P17_conversion_wakesThoseThatWaitToShare() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        StoreClient d = client();
        Wakes wakes = new Wakes(storeWakes(), wakesNobodyElse());
        Claim writer = holdExclusive(a, lock);
        Claim reader = await(b, shared(b, lock));
        Claim another = await(c, shared(c, lock));
        Claim next = await(d, exclusive(d, lock));

        a.granted(writer.inMode(Mode.shared()));

        wakes.reach(b, lock);
        wakes.reach(c, lock);
        wakes.spare(d, lock);
        b.granted(reader);
        c.granted(another);
        d.busy(next);
    }

    @Test
    default void conversion_letsNobodyOvertakeAWriterThatWaits() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        Wakes wakes = new Wakes(storeWakes(), wakesNobodyElse());
        Claim writer = holdExclusive(a, lock);
        Claim next = await(b, exclusive(b, lock));
        Claim reader = await(c, shared(c, lock));

        a.granted(writer.inMode(Mode.shared()));

        wakes.spare(b, lock);
        wakes.spare(c, lock);
        c.busy(reader);
        a.release(writer);
        wakes.reach(b, lock);
        b.granted(next);
    }

    /** I7: a lost answer does no harm. */
    @Test
    default void conversion_repeated_changesNothing() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        Claim writer = exclusive(a, lock);
        long fence = a.granted(writer);
        a.granted(writer.inMode(Mode.shared()));
        b.granted(shared(b, lock));

        assertThat(a.granted(writer.inMode(Mode.shared()))).isEqualTo(fence);

        assertThat(modes(a, lock)).containsExactly(Mode.shared(), Mode.shared());
    }

    @Test
    default void conversion_setsTheLeaseAnew() {
        LockId lock = lock(this);
        StoreClient a = client();
        Claim writer = exclusive(a, lock, Duration.ofSeconds(30));
        a.granted(writer);

        a.granted(writer.inMode(Mode.shared()).withLease(Duration.ofMinutes(3)));

        assertThat(remaining(a, writer)).isBetween(Duration.ofMinutes(2), Duration.ofMinutes(3));
    }

    /** The client that has sent a conversion does not know its claim's mode in the store until it is answered. */
    @Test
    default void conversion_unknown_renewAndReleaseWorkInEitherMode() {
        LockId lock = lock(this);
        StoreClient a = client();
        Claim unconverted = holdExclusive(a, lock);
        assertThat(a.renew(unconverted.inMode(Mode.shared()))).isEqualTo(Renewal.HELD);
        assertThat(modes(a, lock)).singleElement().isInstanceOf(Mode.Exclusive.class);
        assertThat(a.release(unconverted.inMode(Mode.shared()))).isTrue();
        assertThat(a.inspect(lock).isLocked()).isFalse();

        Claim converted = holdExclusive(a, lock);
        a.granted(converted.inMode(Mode.shared()));
        assertThat(a.renew(converted)).isEqualTo(Renewal.HELD);
        assertThat(modes(a, lock)).containsExactly(Mode.shared());
        assertThat(a.release(converted)).isTrue();
        assertThat(a.inspect(lock).isLocked()).isFalse();
    }

    @Test
    default void conversion_ofAClaimThatIsGone_isAPlainTry() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        Claim writer = holdExclusive(a, lock);
        b.release(writer.byForce());
        Claim other = holdExclusive(b, lock);

        a.busy(writer.inMode(Mode.shared()));

        assertThat(a.waiters(lock)).isEmpty();
        assertThat(b.renew(other)).isEqualTo(Renewal.HELD);
        assertThat(a.renew(writer)).isNotEqualTo(Renewal.HELD);
    }

    /**
     * I7, I8: by the answer its client can tell that it was ended: refused, or a claim with another fence, which it can
     * give back.
     */
    @Test
    default void conversion_ofAClaimEndedByForce_isAnswered_andNotAsHeld() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        Claim writer = exclusive(a, lock);
        long fence = a.granted(writer);
        b.release(writer.byForce());

        Attempt answer = a.acquire(writer.inMode(Mode.shared()));

        assertThat(answer instanceof Attempt.Granted granted ? granted.fence() : 0)
                .isNotEqualTo(fence);
        a.release(writer);
        assertThat(b.inspect(lock).isLocked()).isFalse();
        b.release(holdExclusive(b, lock));
    }
}
