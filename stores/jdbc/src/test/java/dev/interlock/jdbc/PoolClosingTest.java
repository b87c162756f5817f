package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.jdbc.fixture.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When {@link Interlock#close()} returns, the application's pool has all of its connections back, as they were. */
class PoolClosingTest extends FileTest {

    private static final int ROUNDS = 20;

    @ParameterizedTest
    @EnumSource
    void P27_closing_givesThePoolItsConnectionsBack_asTheyWere(TestDatabase database) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.newUrl(directory));
        config.setMaximumPoolSize(3);
        config.setMinimumIdle(3);
        config.setAutoCommit(false);
        config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            List<List<String>> before = settings(database, pool);
            for (int round = 0; round < ROUNDS; round++) {
                use(pool, "lock-" + round % 2, round);

                assertThat(pool.getHikariPoolMXBean().getActiveConnections())
                        .as("connections that are out after round %d", round)
                        .isZero();
            }
            assertThat(settings(database, pool)).isEqualTo(before);
        }
    }

    /** Closes while the lock is held, after it was released, and after another client has waited. */
    private static void use(HikariDataSource pool, String name, int round) throws InterruptedException {
        try (Interlock holder = Interlock.builder(JdbcStore.over(pool)).build()) {
            Lease held = holder.lock(name).acquire();
            if (round % 3 == 1) {
                held.close();
            } else if (round % 3 == 2) {
                try (Interlock other = Interlock.builder(JdbcStore.over(pool)).build()) {
                    DistributedLock lock = other.lock(name);
                    assertThat(lock.tryLock(Duration.ofMillis(50))).isFalse();
                }
            }
        }
    }

    /** Those of all connections, which are taken at once. */
    private static List<List<String>> settings(TestDatabase database, HikariDataSource pool) throws SQLException {
        List<Connection> taken = new ArrayList<>();
        List<List<String>> found = new ArrayList<>();
        try {
            for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
                Connection connection = pool.getConnection();
                taken.add(connection);
                found.add(GivenBackTest.settings(database, connection));
            }
        } finally {
            for (Connection connection : taken) {
                connection.close();
            }
        }
        return found;
    }
}
