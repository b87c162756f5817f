package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FailingConnection;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.jdbc.fixture.TestDatabase;
import dev.interlock.jdbc.wake.PostgresNotifications;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A connection of the application's pool goes back with the settings of the application. */
class GivenBackTest extends FileTest {

    private static final int NETWORK_TIMEOUT_MS = 77_000;

    /** The settings of the application: none is one that the server, the driver or the store would choose. */
    private static final Map<TestDatabase, List<String>> CHOSEN = Map.of(
            TestDatabase.POSTGRESQL,
            List.of(
                    "SET lock_timeout = '7s'",
                    "SET idle_in_transaction_session_timeout = '8s'",
                    "SET transaction_timeout = '9s'",
                    "SET row_security = on"),
            TestDatabase.MARIADB,
            List.of("SET SESSION innodb_lock_wait_timeout = 7"),
            TestDatabase.H2,
            List.of("SET LOCK_TIMEOUT 7000"),
            TestDatabase.SQLITE,
            List.of("PRAGMA busy_timeout = 7000", "PRAGMA synchronous = EXTRA"));

    /** Queries that read the settings. */
    private static final Map<TestDatabase, List<String>> LOOKS = Map.of(
            TestDatabase.POSTGRESQL,
            List.of(
                    "SHOW lock_timeout",
                    "SHOW idle_in_transaction_session_timeout",
                    "SHOW transaction_timeout",
                    "SHOW row_security",
                    "SELECT count(*) FROM pg_listening_channels()"),
            TestDatabase.MARIADB,
            List.of("SELECT @@innodb_lock_wait_timeout"),
            TestDatabase.H2,
            List.of("SELECT LOCK_TIMEOUT()"),
            TestDatabase.SQLITE,
            List.of("PRAGMA busy_timeout", "PRAGMA synchronous"));

    @ParameterizedTest
    @EnumSource
    void usedConnection_hasTheSettingsOfThePool(TestDatabase database) throws SQLException {
        try (FailingConnection pool = pool(database)) {
            List<String> before = settings(database, pool.connection());
            for (int i = 0; i < 2; i++) {
                try (Client client = new Client(JdbcStore.over(pool.source()))) {
                    client.release(client.hold("x"));
                    // It may have gone back already: an idle store keeps it for a moment.
                    assertThat(pool.most()).isEqualTo(1);
                }
                await().until(() -> pool.out() == 0);
            }
            assertThat(settings(database, pool.connection())).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusedSetUp_restoresTheSettings(TestDatabase database) throws SQLException {
        try (FailingConnection pool = pool(database)) {
            execute(pool.connection(), "CREATE TABLE interlock_fence (version INTEGER, last BIGINT)");
            execute(pool.connection(), "INSERT INTO interlock_fence VALUES (99, 0)");
            List<String> before = settings(database, pool.connection());
            try (Client client = new Client(JdbcStore.over(pool.source()))) {
                assertThat(Client.failure(client.store().acquire(client.claim("x"))))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("schema=99");
                await().until(() -> pool.out() == 0);
            }
            assertThat(settings(database, pool.connection())).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void setUpThatEndsHalfway_restoresTheSettings(TestDatabase database) throws SQLException {
        try (FailingConnection pool = pool(database)) {
            List<String> before = settings(database, pool.connection());
            try (Client client = new Client(JdbcStore.over(pool.source()))) {
                pool.failOnce("setAutoCommit");
                assertThat(Client.failure(client.store().acquire(client.claim("x"))))
                        .isInstanceOf(AbstractMethodError.class);
                await().until(() -> pool.out() == 0);
                assertThat(pool.failures()).isEqualTo(1);
            }
            assertThat(settings(database, pool.connection())).isEqualTo(before);
        }
    }

    @Test
    void connectionForWakes_hasTheSettingsOfThePool() throws SQLException {
        try (FailingConnection pool = pool(TestDatabase.POSTGRESQL)) {
            List<String> before = settings(TestDatabase.POSTGRESQL, pool.connection());
            try (PostgresNotifications notices = new PostgresNotifications(pool.connection())) {
                notices.listen("channel");
                assertThat(settings(TestDatabase.POSTGRESQL, pool.connection())).isNotEqualTo(before);
            }
            assertThat(settings(TestDatabase.POSTGRESQL, pool.connection())).isEqualTo(before);
        }
    }

    private FailingConnection pool(TestDatabase database) throws SQLException {
        FailingConnection pool = new FailingConnection(database.newUrl(directory));
        Connection connection = pool.connection();
        for (String sql : Objects.requireNonNull(CHOSEN.get(database))) {
            execute(connection, sql);
        }
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        if (database != TestDatabase.SQLITE) {
            connection.setNetworkTimeout(Runnable::run, NETWORK_TIMEOUT_MS);
        }
        connection.setAutoCommit(false);
        return pool;
    }

    /** The settings of a connection that the store changes, or might. */
    static List<String> settings(TestDatabase database, Connection connection) throws SQLException {
        List<String> found = new ArrayList<>();
        found.add("autocommit " + connection.getAutoCommit());
        found.add("read-only " + connection.isReadOnly());
        found.add("holdability " + connection.getHoldability());
        if (database != TestDatabase.SQLITE) {
            found.add("network " + connection.getNetworkTimeout());
        }
        found.add("isolation " + connection.getTransactionIsolation());
        for (String sql : Objects.requireNonNull(LOOKS.get(database))) {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(sql)) {
                row.next();
                found.add(sql + ": " + row.getString(1));
            }
        }
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        return found;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        if (!connection.getAutoCommit()) {
            connection.commit();
        }
    }
}
