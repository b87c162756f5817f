package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.Lease;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PostgreSQL is killed, rolls transactions back, and loses the connection for wakes. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresFaultTest extends RestartContract {

    @SuppressWarnings("NullAway.Init")
    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected String url() {
        return server.url();
    }

    @Override
    protected void killAndRestart() {
        server.kill();
        server.restart();
    }

    /** PostgreSQL rolls back one of three statements that write, as for a deadlock or a serialization failure. */
    @Test
    void P26_transactionsThatAreRolledBack_areRepeated() {
        String url = server.newDatabase();
        Undone.walk(url, () -> fail(url));
        assertThat(PostgresServer.number(url, "SELECT last_value FROM undone")).isGreaterThan(30);
    }

    private static void fail(String url) {
        PostgresServer.execute(url, "CREATE SEQUENCE undone");
        PostgresServer.execute(
                url,
                """
                CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF random() < 0.33 THEN
                    PERFORM nextval('undone');
                    IF random() < 0.5 THEN RAISE EXCEPTION 'undone' USING ERRCODE = '40001'; END IF;
                    RAISE EXCEPTION 'undone' USING ERRCODE = '40P01';
                  END IF;
                  RETURN coalesce(NEW, OLD);
                END $$""");
        for (String table : List.of("lock", "claim")) {
            PostgresServer.execute(
                    url,
                    "CREATE TRIGGER undo BEFORE INSERT OR UPDATE OR DELETE ON interlock_" + table
                            + " FOR EACH ROW EXECUTE FUNCTION undo()");
        }
    }

    /** P11: nobody receives the notification, and the next poll finds the lock free. */
    @Test
    void P11_cutConnectionForWakes_delaysTheNextHolder_andIsReplaced() throws Exception {
        nextHolderAfterACut();
    }

    @Tag(Effort.TIMING)
    @Test
    void P11_cutWakeConnection_delaysTheNextByThePollCapAtMost() throws Exception {
        assertThat(nextHolderAfterACut()).isLessThan(Duration.ofMillis(1_500));
    }

    /** How long a waiter takes to hold after a release whose wake is lost. */
    private Duration nextHolderAfterACut() throws Exception {
        String url = server.newDatabase();
        try (Interlock holder = patient(url).build();
                Interlock waiter = patient(url).pollCap(Duration.ofMillis(700)).build()) {
            DistributedLock lock = holder.lock("x");
            Lease held = lock.acquire();
            CompletableFuture<Lease> waiting = waiter.lock("x").acquireAsync().toCompletableFuture();
            await().ignoreExceptions()
                    .until(() -> listeners(url) == 1 && lock.inspect().waiters().size() == 1);

            cutListeners(url);
            long begun = System.nanoTime();
            held.close();
            Lease next = waiting.get(5, TimeUnit.MINUTES);

            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            CompletableFuture<Lease> again = lock.acquireAsync().toCompletableFuture();
            await().until(() -> listeners(url) >= 1);
            next.close();
            again.get(5, TimeUnit.MINUTES).close();
            return took;
        }
    }

    private static InterlockBuilder patient(String url) {
        return Interlock.builder(url).attemptTimeout(Patience.FULL).storeTimeout(Patience.FULL);
    }

    private static long listeners(String url) {
        return PostgresServer.number(
                url,
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
                        + "pg_backend_pid() AND query LIKE '%WHERE channel = %'");
    }

    /** Ends the connections that listen, and returns when they are gone. */
    private static void cutListeners(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            List<String> cut = column(
                    statement,
                    "SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND pid <> pg_backend_pid() AND query LIKE '%WHERE channel = %'");
            // On a busy machine a connection that is given up may be there beside the next one.
            assertThat(cut).isNotEmpty();
            await().until(() -> column(statement, "SELECT pid FROM pg_stat_activity").stream()
                    .noneMatch(cut::contains));
        }
    }

    private static List<String> column(Statement statement, String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                values.add(row.getString(1));
            }
        }
        return values;
    }
}
