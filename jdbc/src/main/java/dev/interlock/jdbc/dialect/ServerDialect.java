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

/** What databases with row locks have in common. One instance serves one connection. */
public abstract class ServerDialect implements Dialect {

    /** One more than there are statements: whoever has collided with others in one finds done what it does. */
    private static final int CREATIONS = 5;

    /** Undone for the sake of others: serialization failure, deadlock; not got for the sake of others: a row lock. */
    private static final Set<String> CONTENTION = Set.of(SERIALIZATION_FAILURE, "40P01", "55P03");

    private final String name;
    private final Set<Integer> contentionCodes;

    private final ConnectionSettings restoration = new ConnectionSettings();

    /**
     * The dialect of this name.
     *
     * @param name as {@link SchemaScript} has it
     * @param contentionCodes error codes that say what the SQL states of contention do not
     */
    ServerDialect(String name, Set<Integer> contentionCodes) {
        this.name = name;
        this.contentionCodes = contentionCodes;
    }

    @Override
    public final Duration prepare(Connection connection, String prefix) throws SQLException {
        // Before the first statement: a pool may hand out a connection that leads nowhere.
        restoration.networkTimeout(connection, WaitLimits.NETWORK_MS);
        restoration.autoCommit(connection);
        set(connection, restoration);
        int found = connection.getTransactionIsolation();
        if (found != Connection.TRANSACTION_READ_COMMITTED) {
            restoration.add(() -> connection.setTransactionIsolation(found));
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        createTables(connection, prefix);
        return WaitLimits.LOCK_WAIT;
    }

    /** Sets what this database has of its own, and notes what it found. */
    abstract void set(Connection connection, ConnectionSettings restoration) throws SQLException;

    /** Others may do so at the same time: then the one or the other fails, and finds the tables afterwards. */
    private void createTables(Connection connection, String prefix) throws SQLException {
        for (int attempt = 1; !SchemaScript.isInstalled(connection, prefix); attempt++) {
            if (attempt > CREATIONS) {
                throw new StoreUnavailableException(
                        "The table " + prefix
                                + "_fence has no row, although it was made: see whether a trigger or a policy keeps it from this user",
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
        restoration.run();
    }

    @Override
    public final boolean locksRows() {
        return true;
    }

    /** It would be two more writes for a name that is used again and again. */
    @Override
    public final boolean forgetsNames() {
        return false;
    }

    @Override
    public boolean takesAtOnce() {
        return false;
    }

    @Override
    public boolean takesWhatIsThere() {
        return false;
    }

    @Override
    public boolean takesSeveral() {
        return false;
    }

    @Override
    public boolean limitsWaits() {
        return true;
    }

    @Override
    public boolean wakes() {
        return false;
    }

    @Override
    public final Object encoded(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public final String name(ResultSet row, int column) throws SQLException {
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
