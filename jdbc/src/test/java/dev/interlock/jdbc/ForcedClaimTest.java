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
 * A claim that was ended by force leaves a mark in the place of its own row: what it asks for afterwards has to get
 * along with that.
 */
class ForcedClaimTest extends FileTest {

    private static final LockId LOCK = new LockId("x", LockKind.READ_WRITE);

    private TestPool pool(TestDatabase database) {
        return new TestPool(database.newUrl(directory));
    }

    /** I8: it is not made again, and the cause is still there to be told. */
    @ParameterizedTest
    @EnumSource
    void aConversion_isRefused_andTheCauseIsTold(TestDatabase database) {
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

    /** A claim whose grant was never heard of waits on, and knows nothing of the force. */
    @ParameterizedTest
    @EnumSource
    void aClaimThatWaits_isListed_andGrantedWithANewFence(TestDatabase database) {
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
