package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.jdbc.fixture.TestDatabase;
import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody has written a fence into the tables after which no token can be larger (I3). */
class LargestFenceTest extends FileTest {

    private static final String NAME = "x";

    private static final LockId SHARED = new LockId(NAME, LockKind.READ_WRITE);

    @ParameterizedTest
    @EnumSource
    void P07_exhaustedFence_isAnError_andStays(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        TestPool pool = new TestPool(url);
        try (Client client = new Client(JdbcStore.over(pool.source()))) {
            client.hold(NAME);
            client.granted(client.claim(SHARED).inMode(Mode.shared()));
            List<Claim> claims = List.of(
                    client.claim(NAME),
                    client.claim(NAME).waiting(Duration.ofMillis(20)),
                    client.claim(SHARED).inMode(Mode.shared()));
            for (long fence : new long[] {Attempt.LARGEST_FENCE, Attempt.LARGEST_FENCE + 1, Long.MAX_VALUE}) {
                String fencesAreThat = "UPDATE interlock_lock SET until_ms = 0, fence = " + fence;
                assertThat(update(url, fencesAreThat)).isEqualTo(2);

                assertThat(claims).allSatisfy(claim -> assertThat(
                                Client.failure(client.store().acquire(claim)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'" + NAME + "'")
                        .hasMessageContaining("fence=" + fence));
                assertThat(update(url, fencesAreThat + " WHERE fence = " + fence))
                        .isEqualTo(2);
            }
            assertThat(client.granted(client.claim("another"))).isLessThan(Attempt.LARGEST_FENCE);
            // Whoever is refused is in no line, so nobody listens.
            assertThat(pool.most()).isEqualTo(1);
        }
        pool.close();
    }

    /** The largest fence of the deleted names is that of every new name. */
    @ParameterizedTest
    @EnumSource
    void P07_exhaustedFenceOfDeletedNames_isAnError_andGrantsNothing(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (Client client = new Client(url)) {
            client.hold("another");
            List<Claim> claims = List.of(
                    client.claim(NAME),
                    client.claim(NAME).waiting(Duration.ofMillis(20)),
                    client.claim(SHARED).inMode(Mode.shared()));
            for (long fence : new long[] {Attempt.LARGEST_FENCE, Attempt.LARGEST_FENCE + 1, Long.MAX_VALUE}) {
                assertThat(update(url, "UPDATE interlock_fence SET last = " + fence))
                        .isEqualTo(1);

                assertThat(claims).allSatisfy(claim -> assertThat(
                                Client.failure(client.store().acquire(claim)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'" + NAME + "'")
                        .hasMessageContaining("fence=" + fence));
                assertThat(update(url, "DELETE FROM interlock_lock WHERE kind = 'READ_WRITE' OR fence >= " + fence))
                        .isZero();
            }
            assertThat(update(url, "UPDATE interlock_fence SET last = 0")).isEqualTo(1);
            assertThat(client.granted(client.claim(NAME))).isLessThan(Attempt.LARGEST_FENCE);
        }
    }

    private static int update(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }
}
