package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.jdbc.fixture.TestDatabase;
import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A claim that was ended by force leaves a mark in place of its row. Later requests of its owner must cope with that.
 */
class ForcedClaimTest extends FileTest {

    private static final LockId LOCK = new LockId("x", LockKind.READ_WRITE);

    private TestPool pool(TestDatabase database) {
        return new TestPool(database.newUrl(directory));
    }

    /** I8: a conversion does not make the claim again, and a renewal still reports the cause. */
    @ParameterizedTest
    @EnumSource
    void conversion_isRefused_andTheCauseIsReported(TestDatabase database) {
        TestPool pool = pool(database);
        try (Client a = new Client(JdbcStore.over(pool.source()));
                Client b = new Client(JdbcStore.over(pool.source()))) {
            Claim writer = a.hold(LOCK);
            b.release(writer.byForce());

            a.busy(writer.inMode(Mode.shared()));

            assertThat(a.renew(writer)).isEqualTo(Renewal.FORCED);
            assertThat(b.inspect(LOCK).isLocked()).isFalse();
        }
        pool.close();
    }

    /** A claim whose grant was never answered waits on, and does not know of the forced release. */
    @ParameterizedTest
    @EnumSource
    void waitingClaim_isListed_andGrantedWithANewFence(TestDatabase database) {
        TestPool pool = pool(database);
        try (Client a = new Client(JdbcStore.over(pool.source()));
                Client b = new Client(JdbcStore.over(pool.source()))) {
            Claim unheard = a.claim(LOCK).waiting(Duration.ZERO);
            long fence = a.granted(unheard);
            b.release(unheard.byForce());
            Claim other = b.hold(LOCK);

            a.busy(unheard.waiting(Duration.ofSeconds(1)));

            assertThat(b.inspect(LOCK).waiters()).hasSize(1);
            b.release(other);
            assertThat(a.granted(unheard.waiting(Duration.ofSeconds(1)))).isGreaterThan(fence);
            assertThat(a.renew(unheard)).isEqualTo(Renewal.HELD);
        }
        pool.close();
    }
}
