package dev.interlock.jdbc.dialect;

import dev.interlock.jdbc.connection.ConnectionSettings;
import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.spi.Log;
import dev.interlock.support.Examination;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** MariaDB 10.6 and later, MySQL 8 and later, with InnoDB. */
final class MysqlDialect extends ServerDialect {

    /**
     * A row lock was not granted in time; a row has changed since it was read (MariaDB). The SQL states of both are
     * unspecific.
     */
    private static final Set<Integer> CONTENTION = Set.of(1205, 1020);

    /**
     * Not {@code SYSDATE}, whose meaning depends on a setting of the server; and in UTC, since local times occur twice
     * in a night of autumn.
     */
    private static final String NOW = "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) DIV 1000)";

    private static final int TRIED_AT_ONCE = 32;

    /**
     * The variables of a session that change what a statement means or returns, or whether it is allowed:
     *
     * <ul>
     *   <li>{@code sql_select_limit} cuts answers short.
     *   <li>{@code completion_type} begins a transaction where one ends, which nobody would commit.
     *   <li>{@code sql_mode} changes quoting and operators, cuts what is too long for a column, and takes an empty text
     *       for none.
     *   <li>{@code sql_safe_updates} and {@code sql_big_selects} refuse statements by their form.
     * </ul>
     */
    private static final Map<String, String> PINNED = Map.of(
            "innodb_lock_wait_timeout", Long.toString(WaitLimits.LOCK_WAIT.toSeconds()),
            "sql_select_limit", "18446744073709551615",
            "completion_type", "0",
            "sql_mode", "'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
            "sql_safe_updates", "0",
            "sql_big_selects", "1");

    private boolean isMariaDb;

    MysqlDialect() {
        super("mysql", CONTENTION);
    }

    @Override
    void set(Connection connection, ConnectionSettings settings) throws SQLException {
        isMariaDb = connection.getMetaData().getDatabaseProductName().equals("MariaDB");
        Map<String, String> pinned = new TreeMap<>(PINNED);
        pinned.put(readOnlyVariable(connection.getMetaData()), "0");
        Map<String, String> found = new TreeMap<>();
        // The limit of the query is stronger than that of the session.
        String query = "SELECT @@SESSION." + String.join(", @@SESSION.", pinned.keySet()) + " LIMIT 1";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            for (String variable : pinned.keySet()) {
                found.put(variable, quoted(row.getString(found.size() + 1)));
            }
        }
        settings.onRestore(() -> ConnectionSettings.execute(connection, assignment(found)));
        ConnectionSettings.execute(connection, assignment(pinned));
        unfreezeClock(connection);
    }

    /** MariaDB has another name for it before 11.1. */
    private String readOnlyVariable(DatabaseMetaData connected) throws SQLException {
        int major = connected.getDatabaseMajorVersion();
        boolean isNew = major > 11 || (major == 11 && connected.getDatabaseMinorVersion() >= 1);
        return isMariaDb && !isNew ? "tx_read_only" : "transaction_read_only";
    }

    private static String assignment(Map<String, String> variables) {
        return variables.entrySet().stream()
                .map(variable -> "SESSION " + variable.getKey() + " = " + variable.getValue())
                .collect(Collectors.joining(", ", "SET ", ""));
    }

    /** A number as it is, anything else as a text. */
    private static String quoted(String value) {
        return value.matches("\\d+") ? value : "'" + value + "'";
    }

    /**
     * A session may have a time of its own ({@code SET timestamp}), at which no lease ends, or all have ended. Whether
     * it has cannot be seen, so it is not restored.
     */
    private static void unfreezeClock(Connection connection) {
        try {
            ConnectionSettings.execute(connection, "SET SESSION timestamp = DEFAULT");
        } catch (SQLException e) {
            // Who may not set it (secure_timestamp) has not set it; anything else the next statement meets, too.
            Log.of(MysqlDialect.class).log(System.Logger.Level.DEBUG, "The time of the session was not set", e);
        }
    }

    /** By a command of its own besides: a driver may take its word for the level, and send nothing. */
    @Override
    void setIsolation(Connection connection, ConnectionSettings settings) throws SQLException {
        super.setIsolation(connection, settings);
        ConnectionSettings.execute(connection, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }

    @Override
    public String sql(SqlStatement statement) {
        String text =
                switch (statement) {
                    case INSERT_NAME -> "INSERT IGNORE " + CommonSql.NEW_NAME;
                    // Without the hint, a scan of a small table would briefly lock the rows of others, too.
                    case TRY_LOCK_NAMES, TRY_LOCK_CLAIMS ->
                        CommonSql.tryLock(statement, TRIED_AT_ONCE).replace(" WHERE", " FORCE INDEX (PRIMARY) WHERE");
                    default -> CommonSql.of(statement);
                };
        return text.replace("{now}", NOW)
                .replace("{end}", "CONCAT(:prefix, x'FF')")
                .replaceAll(CommonSql.LIMIT, "LIMIT $1");
    }

    /** False on MySQL: it checks once a second for waits of more than one second, so they end after two. */
    @Override
    public boolean endsLockWaitsInTime() {
        return isMariaDb;
    }

    @Override
    public boolean skipsLockedRows() {
        return false;
    }

    @Override
    public int tryLockBatch() {
        return TRIED_AT_ONCE;
    }

    /** One command: the driver would send two. */
    @Override
    public String beginCommand() {
        return "START TRANSACTION";
    }

    @Override
    public void examine(Connection connection, String prefix, Examination found) {
        new MysqlDiagnosis(new Values(connection), prefix, found).run();
    }

    @Override
    public String clockQuery() {
        return "SELECT " + NOW;
    }
}
