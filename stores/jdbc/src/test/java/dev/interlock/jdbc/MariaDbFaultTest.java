package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.server.MariaDbServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** MariaDB is killed, rolls transactions back, and has rows that others keep locked. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("wide")
class MariaDbFaultTest extends RestartContract {

    @SuppressWarnings("NullAway.Init")
    private static MariaDbServer server;

    @BeforeAll
    static void start() {
        server = MariaDbServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected String url() {
        return server.url(server.createDatabase());
    }

    @Override
    protected void killAndRestart() {
        server.kill();
        server.restart();
    }

    /** MariaDB takes longer to restart than PostgreSQL. */
    @Override
    protected int kills() {
        return 1;
    }

    /** MariaDB reports a deadlock or a lock time-out for one of three statements that write. */
    @Test
    void P26_transactionsThatAreRolledBack_areRepeated() throws SQLException {
        String url = url();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            Undone.walk(url, () -> fail(statement));
            assertThat(number(statement, "SELECT next_not_cached_value - 1 FROM undone"))
                    .isGreaterThan(30);
        }
    }

    private static void fail(Statement statement) {
        try {
            statement.execute("CREATE SEQUENCE undone NOCACHE");
            statement.execute(
                    """
                    CREATE PROCEDURE fail_sometimes() BEGIN
                      IF RAND() < 0.33 THEN
                        SET @number = NEXTVAL(undone);
                        IF RAND() < 0.5 THEN
                          SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'undone';
                        END IF;
                        SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1205, MESSAGE_TEXT = 'undone';
                      END IF;
                    END""");
            for (String table : List.of("lock", "claim")) {
                for (String event : List.of("INSERT", "UPDATE", "DELETE")) {
                    statement.execute("CREATE TRIGGER undo_" + table + "_" + event + " BEFORE " + event
                            + " ON interlock_" + table + " FOR EACH ROW CALL fail_sometimes()");
                }
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * A real deadlock: the store has locked the row of the name and wants that of the waiter; a stranger has locked
     * them the other way round.
     */
    @Test
    void P26_victimOfADeadlock_isRepeated() throws SQLException {
        String url = url();
        try (Client a = new Client(url);
                Client b = new Client(url);
                Connection stranger = DriverManager.getConnection(url);
                Statement statement = stranger.createStatement()) {
            Claim held = a.hold("x");
            Claim waiting = b.await("x", Duration.ofSeconds(1));
            statement.execute("CREATE TABLE weight (number INTEGER PRIMARY KEY)");
            statement.execute("INSERT INTO weight SELECT seq FROM seq_1_to_500");
            stranger.setAutoCommit(false);

            // The store waits for a second at most: on a slow machine the stranger may come, or go, too late.
            boolean isRepeated = false;
            while (!isRepeated) {
                long deadlocks = deadlocks(statement);
                stranger.commit();
                if (a.renew(held) != Renewal.HELD) {
                    b.release(waiting);
                    held = a.hold("x");
                    waiting = b.await("x", Duration.ofSeconds(1));
                }
                // The server ends the transaction that has changed less.
                statement.execute("UPDATE weight SET number = number + 1000");
                statement.execute("UPDATE interlock_claim SET application = 'stranger'");
                CompletableFuture<Boolean> released = a.store().release(held).toCompletableFuture();
                awaitBlocked(url, released);
                statement.execute("UPDATE interlock_lock SET application = 'stranger'");
                stranger.commit();
                await().until(released::isDone);
                isRepeated = deadlocks(statement) > deadlocks && !released.isCompletedExceptionally();
            }

            assertThat(a.renew(held)).isEqualTo(Renewal.DELETED);
            assertThat(b.isGranted(waiting)).isTrue();
        }
    }

    private static void awaitBlocked(String url, CompletableFuture<?> released) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            // InnoDB caches this table for a tenth of a second.
            await().pollInterval(Duration.ofMillis(150))
                    .until(() -> number(
                                            statement,
                                            "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state "
                                                    + "= 'LOCK WAIT'")
                                    == 1
                            || released.isDone());
        }
    }

    private static long deadlocks(Statement statement) throws SQLException {
        return number(
                statement,
                "SELECT variable_value FROM information_schema.global_status WHERE variable_name = 'INNODB_DEADLOCKS'");
    }

    /**
     * The row is locked for longer than the server lets the store wait: the operation fails in time, and the next one
     * may succeed.
     */
    @Test
    void P26_lockedRow_isAClearRefusal_andFreeAfterwards() throws SQLException {
        String url = url();
        try (Client client = new Client(url);
                Connection stranger = DriverManager.getConnection(url);
                Statement statement = stranger.createStatement()) {
            client.release(client.hold("x"));
            stranger.setAutoCommit(false);
            statement.executeQuery("SELECT * FROM interlock_lock FOR UPDATE").close();

            Claim claim = client.claim("x");
            // A server that is busy for longer than the store waits for its answer is another reason to fail.
            await().untilAsserted(() -> {
                long begun = System.nanoTime();
                Throwable refusal = Client.failure(client.store().acquire(claim));
                Duration took = Duration.ofNanos(System.nanoTime() - begun);
                assertThat(refusal)
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("Others kept the tables")
                        .hasStackTraceContaining("Lock wait timeout");
                assertThat(took).isGreaterThan(Duration.ofMillis(900));
            });
            stranger.rollback();

            assertThat(client.isGranted(claim)).isTrue();
        }
    }

    /**
     * A release waits for the row of the waiter, in vain: all that it has locked and written is rolled back, so that
     * others can go on.
     */
    @Test
    void P26_transactionThatIsGivenUp_keepsNothingLocked() throws SQLException {
        String url = url();
        try (Client a = new Client(url);
                Client b = new Client(url);
                Connection stranger = DriverManager.getConnection(url);
                Statement statement = stranger.createStatement()) {
            Claim held = a.hold("x");
            b.await("x", Duration.ofSeconds(1));
            stranger.setAutoCommit(false);
            statement.execute("SET innodb_lock_wait_timeout = 3");
            statement.executeQuery("SELECT * FROM interlock_claim FOR UPDATE").close();

            // A server that is busy for longer than the store waits for its answer is another reason to fail.
            await().untilAsserted(() -> {
                Throwable refusal = Client.failure(a.store().release(held));
                assertThat(refusal).hasMessageContaining("Others kept the tables");
            });

            assertThat(statement.executeUpdate("UPDATE interlock_lock SET application = 'stranger'"))
                    .isEqualTo(1);
            stranger.commit();
            assertThat(a.release(held)).isTrue();
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
