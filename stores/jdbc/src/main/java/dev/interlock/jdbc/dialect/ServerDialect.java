package dev.interlock.jdbc.dialect;

import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.connection.ConnectionSettings;
import dev.interlock.jdbc.connection.ConnectionTarget;
import dev.interlock.jdbc.connection.ServerErrors;
import dev.interlock.jdbc.connection.ServerIdentity;
import dev.interlock.jdbc.connection.WaitLimits;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/** The common part of the databases with row locks. */
abstract class ServerDialect implements Dialect {

    /** One more than there are statements: each collision with another client leaves at least one of them done. */
    private static final int CREATIONS = 5;

    /** Rolled back because of others: serialization failure, deadlock. Not granted because of others: a row lock. */
    private static final Set<String> CONTENTION = Set.of(SERIALIZATION_FAILURE, "40P01", "55P03");

    private final String name;
    private final Set<Integer> contentionCodes;

    private final ConnectionSettings settings = new ConnectionSettings();

    /**
     * A dialect of this name.
     *
     * @param name the name of its {@link SchemaScript}
     * @param contentionCodes error codes of contention whose SQL states are unspecific
     */
    ServerDialect(String name, Set<Integer> contentionCodes) {
        this.name = name;
        this.contentionCodes = contentionCodes;
    }

    @Override
    public final Duration prepare(Connection connection, String prefix) throws SQLException {
        // Before the first statement: a pool may hand out a dead connection.
        settings.setNetworkTimeout(connection, WaitLimits.NETWORK_MS);
        settings.enableAutoCommit(connection);
        settings.enableWrites(connection);
        set(connection, settings);
        setIsolation(connection, settings);
        createTables(connection, prefix);
        return WaitLimits.LOCK_WAIT;
    }

    /** Makes the settings of this database, and registers how to restore them. */
    abstract void set(Connection connection, ConnectionSettings settings) throws SQLException;

    /** Sets the isolation of transactions: read committed. */
    void setIsolation(Connection connection, ConnectionSettings settings) throws SQLException {
        int found = connection.getTransactionIsolation();
        if (found != Connection.TRANSACTION_READ_COMMITTED) {
            settings.onRestore(() -> connection.setTransactionIsolation(found));
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    /**
     * Creates the tables. Others may do so at the same time: one of them then fails, and finds the tables afterwards.
     */
    private void createTables(Connection connection, String prefix) throws SQLException {
        for (int attempt = 1; !SchemaScript.isInstalled(connection, prefix); attempt++) {
            if (attempt > CREATIONS) {
                throw new StoreUnavailableException(
                        "The table " + prefix
                                + "_fence has no row, although it was made: see whether a trigger or a policy "
                                + "keeps it from this user",
                        null);
            }
            try {
                new SchemaScript(name).run(connection, prefix);
            } catch (SQLException e) {
                if (attempt == CREATIONS || !SchemaScript.isCollision(e)) {
                    throw e;
                }
            }
        }
    }

    @Override
    public final void restore() {
        settings.restore();
    }

    @Override
    public final boolean locksRows() {
        return true;
    }

    /** Deleting it would cost two more writes for a name that is used again and again. */
    @Override
    public final boolean deletesFreeNames() {
        return false;
    }

    @Override
    public boolean canAcquireAtOnce() {
        return false;
    }

    @Override
    public boolean canAcquireExisting() {
        return false;
    }

    @Override
    public boolean acceptsMultipleStatements() {
        return false;
    }

    @Override
    public boolean limitsStatementTime() {
        return true;
    }

    @Override
    public boolean notifiesOnCommit() {
        return false;
    }

    @Override
    public final Object encodedName(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public final String decodedName(ResultSet row, int column) throws SQLException {
        return new String(row.getBytes(column), StandardCharsets.UTF_8);
    }

    @Override
    public final boolean isContention(SQLException e) {
        return CONTENTION.contains(String.valueOf(e.getSQLState())) || contentionCodes.contains(e.getErrorCode());
    }

    @Override
    public final ConnectionTarget target(Connection connection) throws SQLException {
        return ServerIdentity.of(connection);
    }

    @Override
    public final RuntimeException explained(SQLException e, ConnectionTarget target, String prefix) {
        return ServerErrors.explained(e, target.toString(), prefix, name);
    }
}
