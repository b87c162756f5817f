package dev.interlock.jdbc.dialect;

import dev.interlock.jdbc.connection.ConnectionSource;
import dev.interlock.jdbc.connection.ConnectionTarget;
import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.jdbc.wake.WakeListener;
import dev.interlock.spi.Wake;
import dev.interlock.support.Examination;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The differences of one database. The operations know the {@link SqlStatement}s and their order; the dialect knows the
 * SQL text of each, how a transaction begins, how the tables are created, and the meaning of errors. One instance
 * serves one connection. Not thread-safe.
 */
public interface Dialect {

    /** The SQL state of a transaction that the database has rolled back because of others. */
    String SERIALIZATION_FAILURE = "40001";

    /** How many claims of a name are read at most: a name with more is refused. */
    int MOST_ROWS = 200_000;

    /**
     * Prepares a new connection: its settings, and the tables if they do not exist. Several processes may do this at
     * the same time.
     *
     * @param prefix how the names of the tables begin; checked
     * @return for how long a statement may be retried while others are in its way
     */
    Duration prepare(Connection connection, String prefix) throws SQLException;

    /**
     * Restores the settings that {@link #prepare} has changed, also if it failed halfway: otherwise a pool would pass
     * them on to the next user of the connection.
     */
    void restore();

    /** The text of a statement, with named parameters ({@code :name}) and {@code {p}} for the prefix of the tables. */
    String sql(SqlStatement statement);

    /**
     * The command that begins a transaction in which nobody else changes what {@link SqlStatement#LOCK_NAME} has found;
     * {@code COMMIT} and {@code ROLLBACK} end it. Null if the driver begins a transaction with the first statement,
     * once auto-commit is off.
     */
    default @Nullable String beginCommand() {
        return null;
    }

    /** Whether {@link SqlStatement#LOCK_NAME} is needed. False where a transaction locks the whole database. */
    boolean locksRows();

    /**
     * Whether {@link SqlStatement#SWEEP_CLAIM}, {@link SqlStatement#SWEEP_NAME},
     * {@link SqlStatement#RENEW_UNLOCKED_HOLDER} and {@link SqlStatement#RENEW_UNLOCKED_CLAIM} skip a row that another
     * transaction has locked, or the database has no row locks. Where this is false,
     * {@link SqlStatement#TRY_LOCK_NAMES} or {@link SqlStatement#TRY_LOCK_CLAIMS} locks the rows first.
     */
    default boolean skipsLockedRows() {
        return true;
    }

    /** How many rows one {@link SqlStatement#TRY_LOCK_NAMES} or {@link SqlStatement#TRY_LOCK_CLAIMS} tries. */
    default int tryLockBatch() {
        return 1;
    }

    /** Whether the database has {@link SqlStatement#ACQUIRE}. */
    boolean canAcquireAtOnce();

    /** Whether the database has {@link SqlStatement#ACQUIRE_EXISTING} and {@link SqlStatement#ACQUIRE_OR_LOAD}. */
    boolean canAcquireExisting();

    /**
     * Whether one request may contain several statements, separated by semicolons, each with its own rows or row count,
     * and {@link SqlStatement#COMMIT} as the last. After one that fails, none is executed; one that must write a row
     * and does not fails by itself, as {@link #isMissingRow} says.
     */
    boolean acceptsMultipleStatements();

    /** Whether a statement has failed because it wrote no row. */
    default boolean isMissingRow(SQLException e) {
        return false;
    }

    /** Whether the row of a name is deleted with its last claim. If not, it stays for some time, for the next claim. */
    boolean deletesFreeNames();

    /**
     * Whether the database has {@link SqlStatement#NOTIFY}, by which a transaction sends its wakes when it commits.
     * Elsewhere {@link #sendWakes} sends them afterwards.
     */
    boolean notifiesOnCommit();

    /**
     * A new listener for the wakes that others send to this client, not started yet; null if nobody can send any, so
     * that claims poll.
     *
     * @param isNeeded whether it may keep a connection: else it ends by itself, soon
     */
    default @Nullable WakeListener listener(
            ConnectionSource connections, String prefix, Consumer<Wake> receiver, BooleanSupplier isNeeded) {
        return null;
    }

    /**
     * Sends wakes to a client, if that is possible without waiting.
     *
     * @param wakes lines, each a {@link dev.interlock.jdbc.wake.WakeMessage}
     * @return false if nobody listens on the channel any more
     */
    default boolean sendWakes(String channel, String wakes) {
        return true;
    }

    /**
     * Whether no statement takes longer than {@link WaitLimits#NETWORK_MS}, on any thread, and an interrupt of that
     * thread disturbs none.
     */
    boolean limitsStatementTime();

    /** Whether a wait for a row lock ends before the network time-out, so that the connection is usable afterwards. */
    default boolean endsLockWaitsInTime() {
        return true;
    }

    /** Encodes the name of a lock as the database stores it. */
    Object encodedName(String name);

    /** The part of a text that the database can store: the name of a thread, a host or an application. */
    default String storable(String text) {
        return text;
    }

    /** Decodes the name of a lock in this column. */
    String decodedName(ResultSet row, int column) throws SQLException;

    /** Whether the error only means that others were faster: nothing was done, and the connection is usable. */
    boolean isContention(SQLException e);

    /** Looks at the server, or at the file; changes nothing. */
    void examine(Connection connection, String prefix, Examination found);

    /** The query of the server's clock, in milliseconds since 1970. */
    String clockQuery();

    /** What the connection is connected to, so that a later check can tell that it is gone. */
    ConnectionTarget target(Connection connection) throws SQLException;

    /** The exception to show for an error: with its cause and, where known, with what to do about it. */
    RuntimeException explained(SQLException e, ConnectionTarget target, String prefix);
}
