package dev.interlock.jdbc.dialect;

import dev.interlock.jdbc.connection.ConnectionSource;
import dev.interlock.jdbc.connection.ConnectionTarget;
import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.jdbc.wake.WakeListener;
import dev.interlock.spi.Wake;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one database does differently from another. The verbs know {@link SqlStatement}s and their order; a dialect
 * knows the SQL of each step, how a transaction begins, how the tables are made, and what an error means.
 */
public interface Dialect {

    /** The SQL state of a transaction that the database has undone because of others. */
    String SERIALIZATION_FAILURE = "40001";

    /**
     * Gets a new connection ready for use: its settings, and the tables if they are not there. Several processes may do
     * so at the same time.
     *
     * @param prefix how the names of the tables begin; checked
     * @return for how long a statement may be tried while others are in its way; see {@link ContentionRetry}
     */
    Duration prepare(Connection connection, String prefix) throws SQLException;

    /**
     * Undoes the settings of {@link #prepare}, as far as it came: a pool would hand them on to the next user of the
     * connection.
     */
    void restore();

    /** The SQL of a step, with named parameters ({@code :name}) and {@code {p}} for the prefix of the tables. */
    String sql(SqlStatement step);

    /**
     * The command that begins a transaction in which nobody else changes what {@link SqlStatement#LOCK} has found;
     * {@code COMMIT} and {@code ROLLBACK} end it. Null if the driver begins a transaction with the first statement,
     * once auto-commit is off.
     */
    default @Nullable String beginCommand() {
        return null;
    }

    /** Whether {@link SqlStatement#LOCK} is needed: not where a transaction has the whole database. */
    boolean locksRows();

    /**
     * Whether {@link SqlStatement#SWEEP_CLAIM}, {@link SqlStatement#SWEEP_NAME},
     * {@link SqlStatement#RENEW_UNLOCKED_HOLDER} and {@link SqlStatement#RENEW_UNLOCKED_CLAIM} pass by a row that
     * another transaction has locked, or know of no such rows. Elsewhere the row is locked before, by
     * {@link SqlStatement#TRY_LOCK} or {@link SqlStatement#TRY_LOCK_CLAIM}.
     */
    default boolean passesByLocks() {
        return true;
    }

    /**
     * For how many rows {@link SqlStatement#TRY_LOCK} and {@link SqlStatement#TRY_LOCK_CLAIM} try at once, if they are
     * needed.
     */
    default int triedAtOnce() {
        return 1;
    }

    /** Whether there is {@link SqlStatement#TAKE}. */
    boolean takesAtOnce();

    /** Whether there are {@link SqlStatement#TAKE_AGAIN} and {@link SqlStatement#TAKE_OR_LOAD}. */
    boolean takesWhatIsThere();

    /**
     * Whether several statements go in one request, set apart by semicolons, each with its own rows or their number.
     */
    boolean takesSeveral();

    /** Whether the row of a name goes with the last claim; if not, it stays for some time, for the next one. */
    boolean forgetsNames();

    /**
     * Whether there is {@link SqlStatement#WAKE}, by which a transaction tells of its wakes when it commits; elsewhere
     * {@link #tell} does so afterwards.
     */
    boolean wakes();

    /**
     * What hears of the wakes that others send to this client, not begun yet; null if nobody can send any, and claims
     * poll.
     */
    default @Nullable WakeListener listener(ConnectionSource connections, String prefix, Consumer<Wake> hearer) {
        return null;
    }

    /**
     * Tells a client of wakes, if it can be done at once.
     *
     * @param wakes each a {@link WakeMessage} and the end of a line
     * @return false if nobody listens there any more
     */
    default boolean tell(String channel, String wakes) {
        return true;
    }

    /**
     * Whether no statement takes longer than {@link WaitLimits#NETWORK_MS}, on whatever thread, and none is disturbed
     * by an interrupt of that.
     */
    boolean limitsWaits();

    /**
     * Whether a statement that waits for a row gives up before the network does, so that the connection is good
     * afterwards.
     */
    default boolean endsWaitsInTime() {
        return true;
    }

    /** The name of a lock as the database keeps it. */
    Object encoded(String name);

    /** What the database can keep of the name of a thread, a host or an application. */
    default String word(String text) {
        return text;
    }

    /** The name of a lock in this column. */
    String name(ResultSet row, int column) throws SQLException;

    /**
     * Whether the error only says that others were faster: nothing was done, and the connection is as good as before.
     */
    boolean isContention(SQLException e);

    /**
     * An identity of what the connection is connected to, by which a later look can tell that it is not there any more.
     */
    ConnectionTarget target(Connection connection) throws SQLException;

    /** The exception to be shown for this one: with the cause, and where known with what to do about it. */
    RuntimeException explained(SQLException e, ConnectionTarget target, String prefix);
}
