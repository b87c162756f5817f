package dev.interlock.evidence;

import dev.interlock.testkit.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Transactions of somebody else on PostgreSQL, one after the other, as of a migration: each locks the rows of a table
 * in which a library keeps its locks, waits until a client of the library waits for one of them, and then wants a whole
 * table that this client has used before. So the two wait for each other, and PostgreSQL ends one of them (40P01).
 *
 * <p>It ends the one that has waited for {@code deadlock_timeout} first. The strangers are the more patient, so that it
 * is most often the client.
 */
final class Deadlocks implements AutoCloseable {

    /** Shorter than the second that Interlock waits for a row: a deadlock has to be found before it is over. */
    private static final String PATIENCE_OF_CLIENTS = "500ms";

    private static final String PATIENCE_OF_STRANGERS = "2s";

    /** How long rows stay locked that nobody wants. */
    private static final long UNWANTED_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    /** How long a strike goes on at most that has not hit. */
    private static final long VAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long POLL_MILLIS = 5;
    private static final String DEADLOCK = "40P01";

    /** What PostgreSQL's log says of each. */
    private static final String LOGGED = "ERROR:  deadlock detected";

    private static final List<Crossing> CROSSINGS = List.of(
            new Crossing("interlock_claim", "interlock_lock"),
            new Crossing("interlock_lock", "interlock_lock"),
            new Crossing("int_lock", "int_lock"),
            new Crossing("shedlock", "shedlock"),
            new Crossing("control_lock", "control_lock"));

    private final Connection stranger;
    private final Connection watcher;
    private final int strangerId;
    private int strangersEnded;

    /** The table whose rows a stranger locks first, and the one that it wants then. */
    private record Crossing(String rows, String table) {

        String exists() {
            return "SELECT to_regclass('%s') IS NOT NULL AND to_regclass('%s') IS NOT NULL".formatted(rows, table);
        }

        String lockRows() {
            return "SELECT true FROM %s FOR UPDATE".formatted(rows);
        }

        String lockTable() {
            return "LOCK TABLE %s IN ACCESS EXCLUSIVE MODE".formatted(table);
        }
    }

    private Deadlocks(PostgresServer server) throws SQLException {
        watcher = DriverManager.getConnection(server.url());
        stranger = DriverManager.getConnection(server.url());
        try (Statement statement = stranger.createStatement()) {
            statement.execute("SET deadlock_timeout = '" + PATIENCE_OF_STRANGERS + "'");
            strangerId = number(statement, "SELECT pg_backend_pid()");
        }
        stranger.setAutoCommit(false);
    }

    /** Lets this server find deadlocks soon enough. */
    static void prepare(PostgresServer server) {
        server.execute("ALTER SYSTEM SET deadlock_timeout = '" + PATIENCE_OF_CLIENTS + "'");
        server.execute("SELECT pg_reload_conf()");
    }

    /** Strikes for this time, or until it has hit. Whether PostgreSQL has ended a transaction of a client. */
    static boolean strike(PostgresServer server, Duration time) throws SQLException, InterruptedException {
        long before = found(server);
        long begun = System.nanoTime();
        try (Deadlocks deadlocks = new Deadlocks(server)) {
            boolean hit = false;
            long lasted = 0;
            for (int i = 0; lasted < (hit ? time.toNanos() : VAIN_NANOS); i++) {
                deadlocks.cross(CROSSINGS.get(i % CROSSINGS.size()));
                hit = found(server) - before > deadlocks.strangersEnded;
                lasted = System.nanoTime() - begun;
            }
            return hit;
        }
    }

    private static long found(PostgresServer server) {
        return server.log().lines().filter(line -> line.contains(LOGGED)).count();
    }

    private void cross(Crossing crossing) throws SQLException, InterruptedException {
        try (Statement statement = stranger.createStatement();
                Statement watch = watcher.createStatement()) {
            if (truth(watch, crossing.exists()) && truth(statement, crossing.lockRows()) && isWaitedFor()) {
                statement.execute(crossing.lockTable());
            }
        } catch (SQLException e) {
            if (!DEADLOCK.equals(e.getSQLState())) {
                throw e;
            }
            strangersEnded++;
        } finally {
            stranger.rollback();
        }
    }

    /** Waits until somebody waits for the stranger; false if nobody does. */
    private boolean isWaitedFor() throws SQLException, InterruptedException {
        long begun = System.nanoTime();
        try (PreparedStatement query = watcher.prepareStatement(
                "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE ? = ANY (pg_blocking_pids(pid)))")) {
            query.setInt(1, strangerId);
            while (System.nanoTime() - begun < UNWANTED_NANOS) {
                try (ResultSet row = query.executeQuery()) {
                    row.next();
                    if (row.getBoolean(1)) {
                        return true;
                    }
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            return false;
        }
    }

    /** What the first row says; false if there is none. */
    private static boolean truth(Statement statement, String query) throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static int number(Statement statement, String query) throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    @Override
    public void close() throws SQLException {
        try (watcher) {
            stranger.close();
        }
    }
}
