package dev.interlock.jdbc.dialect;

import dev.interlock.jdbc.connection.ConnectionSettings;
import dev.interlock.jdbc.connection.ConnectionSource;
import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.jdbc.wake.NotificationListener;
import dev.interlock.jdbc.wake.WakeListener;
import dev.interlock.spi.Wake;
import dev.interlock.support.Examination;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** PostgreSQL 12 and later. */
final class PostgresDialect extends ServerDialect {

    /**
     * The settings that {@link #set} changes, where the server has them. {@code SET SESSION CHARACTERISTICS}, by which
     * a driver sets isolation, sets that of transactions. {@code default_transaction_read_only} is not among them:
     * whoever sets it for a database or a role takes that out of service, as a former primary, and no lock may be
     * granted there.
     */
    private static final Map<String, String> PINNED = new TreeMap<>(Map.of(
            "lock_timeout",
            Long.toString(WaitLimits.LOCK_WAIT.toMillis()),
            "idle_in_transaction_session_timeout",
            Integer.toString(WaitLimits.NETWORK_MS),
            // Shorter than the wait for a row lock, it would end that as an error.
            "statement_timeout",
            "0",
            // The same, and the connection. Since PostgreSQL 17.
            "transaction_timeout",
            "0",
            // A policy that hides rows from this user is an error: a holder that it hides would be overlooked.
            "row_security",
            "off",
            "default_transaction_isolation",
            "read committed"));

    /**
     * Reads the settings before it sets them: one statement with one result, which every mode of the driver can read.
     */
    private static final String PIN = PINNED.keySet().stream()
            .map(setting -> found(setting) + " AS " + setting)
            .collect(Collectors.joining(
                    ", ",
                    "WITH found AS MATERIALIZED (SELECT ",
                    ", current_setting('server_encoding')) SELECT found.*, "
                            + PINNED.entrySet().stream()
                                    .map(pinned -> setIfKnown(pinned.getKey(), "'" + pinned.getValue() + "'"))
                                    .collect(Collectors.joining(", "))
                            + " FROM found"));

    /** The encodings of databases that store any text. SQL_ASCII has no encoding: it stores bytes as they are. */
    private static final Set<String> ANY_TEXT = Set.of("UTF8", "SQL_ASCII");

    private static final String RESTORE = PINNED.keySet().stream()
            .map(setting -> setIfKnown(setting, "?"))
            .collect(Collectors.joining(", ", "SELECT ", ""));

    private static final String DIVISION_BY_ZERO = "22012";

    /** How many connections a pool needs so that one can be for wakes. */
    private static final int ENOUGH = 3;

    private boolean keepsAnyText = true;

    /** Whether the driver may use the binary form of a result before it knows its columns. */
    private boolean forcesBinary;

    PostgresDialect() {
        super("postgresql", Set.of());
    }

    /** The value of a setting; null if the server is too old to have it. */
    private static String found(String setting) {
        return "current_setting('" + setting + "', true)";
    }

    private static String setIfKnown(String setting, String value) {
        return "CASE WHEN " + found(setting) + " IS NOT NULL THEN set_config('" + setting + "', " + value
                + ", false) END";
    }

    /**
     * Limits the wait for a row lock, whose holder may be a stopped process; and ends the transaction of a process that
     * is stopped itself.
     */
    @Override
    void set(Connection connection, ConnectionSettings settings) throws SQLException {
        forcesBinary = connection.isWrapperFor(PGConnection.class)
                && connection.unwrap(PGConnection.class).getPrepareThreshold() < 0;
        try (Statement statement = connection.createStatement()) {
            // One round trip, since a first operation may have little time.
            ResultSet row = statement.executeQuery(PIN);
            row.next();
            List<@Nullable String> found = new ArrayList<>();
            for (int column = 1; column <= PINNED.size(); column++) {
                found.add(row.getString(column));
            }
            keepsAnyText = ANY_TEXT.contains(row.getString(PINNED.size() + 1));
            settings.onRestore(() -> restore(connection, found));
        }
    }

    /** Already done. */
    @Override
    void setIsolation(Connection connection, ConnectionSettings settings) {}

    private static void restore(Connection connection, List<@Nullable String> found) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(RESTORE)) {
            for (int i = 0; i < found.size(); i++) {
                statement.setString(i + 1, found.get(i));
            }
            statement.execute();
        }
    }

    /**
     * Another encoding may lack a character, and then the statement would fail each time. The text is only for people
     * to read, which is no reason to refuse a lock.
     */
    @Override
    public String storable(String text) {
        return keepsAnyText ? text : text.replaceAll("[^\\x00-\\x7F]", "?");
    }

    @Override
    public String sql(SqlStatement statement) {
        return PostgresSql.of(statement);
    }

    @Override
    public boolean canAcquireAtOnce() {
        return true;
    }

    @Override
    public boolean canAcquireExisting() {
        return true;
    }

    @Override
    public boolean acceptsMultipleStatements() {
        // With prepareThreshold=-1 the driver takes the columns of the one for those of the other.
        return !forcesBinary;
    }

    /** A division by zero, see {@link PostgresSql}. */
    @Override
    public boolean isMissingRow(SQLException e) {
        return DIVISION_BY_ZERO.equals(e.getSQLState());
    }

    @Override
    public boolean notifiesOnCommit() {
        return true;
    }

    @Override
    public @Nullable WakeListener listener(
            ConnectionSource connections, String prefix, Consumer<Wake> receiver, BooleanSupplier isNeeded) {
        // A smaller pool has none for it besides those of the requests and of the application.
        return connections.most().orElse(ENOUGH) < ENOUGH
                ? null
                : new NotificationListener(connections, prefix, receiver, isNeeded);
    }

    @Override
    public void examine(Connection connection, String prefix, Examination found) {
        new PostgresDiagnosis(new Values(connection), prefix, found).run();
    }

    @Override
    public String clockQuery() {
        return "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
    }
}
