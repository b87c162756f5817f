package dev.interlock.jdbc;

import dev.interlock.spi.Wake;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one database does differently from another. The verbs know {@link Step}s and their order; a dialect knows the
 * SQL of each step, how a transaction begins, how the tables are made, and what an error means.
 */
interface Dialect {

    /** The schema that this version reads and writes. */
    int SCHEMA_VERSION = 2;

    /**
     * Gets a new connection ready for use: its settings, and the tables if they are not there. Several processes may do
     * so at the same time.
     *
     * @param prefix how the names of the tables begin; checked
     * @return for how long a statement may be tried while others are in its way; see {@link Contention}
     */
    Duration prepare(Connection connection, String prefix) throws SQLException;

    /**
     * Undoes the settings of {@link #prepare}, as far as it came: a pool would hand them on to the next user of the
     * connection.
     */
    void restore();

    /** The statements that make the tables, in their order, with {@code {p}} for the prefix. */
    List<String> schema();

    /** The SQL of a step, with named parameters ({@code :name}) and {@code {p}} for the prefix of the tables. */
    String sql(Step step);

    /**
     * Begins a transaction in which what was read with {@link Step#LOCK} is nobody else's until {@link #commit} or
     * {@link #rollback}.
     */
    void begin(Session session) throws SQLException;

    /** Makes it so. */
    void commit(Session session) throws SQLException;

    /** Takes it back. */
    void rollback(Session session) throws SQLException;

    /** Whether {@link Step#LOCK} is needed: not where a transaction has the whole database. */
    boolean locksRows();

    /**
     * Whether {@link Step#SWEEP_CLAIM}, {@link Step#SWEEP_NAME}, {@link Step#RENEW_UNLOCKED_HOLDER} and
     * {@link Step#RENEW_UNLOCKED_CLAIM} pass by a row that another transaction has locked, or know of no such rows.
     * Elsewhere the row is locked before, by {@link Step#TRY_LOCK} or {@link Step#TRY_LOCK_CLAIM}.
     */
    default boolean passesByLocks() {
        return true;
    }

    /** For how many rows {@link Step#TRY_LOCK} and {@link Step#TRY_LOCK_CLAIM} try at once, if they are needed. */
    default int triedAtOnce() {
        return 1;
    }

    /** Whether there is {@link Step#TAKE}. */
    boolean takesAtOnce();

    /** Whether there are {@link Step#TAKE_AGAIN} and {@link Step#TAKE_OR_LOAD}. */
    boolean takesWhatIsThere();

    /**
     * Whether several statements go in one request, set apart by semicolons, each with its own rows or their number.
     */
    boolean takesSeveral();

    /** Whether the row of a name goes with the last claim; if not, it stays for some time, for the next one. */
    boolean forgetsNames();

    /**
     * Whether there is {@link Step#WAKE}, by which a transaction tells of its wakes when it commits; elsewhere
     * {@link #tell} does so afterwards.
     */
    boolean wakes();

    /**
     * What hears of the wakes that others send to this client, not begun yet; null if nobody can send any, and claims
     * poll.
     */
    default @Nullable Listener listener(ConnectionSource connections, String prefix, Consumer<Wake> hearer) {
        return null;
    }

    /**
     * Tells a client of wakes, if it can be done at once.
     *
     * @param wakes each a {@link WakeText} and the end of a line
     * @return false if nobody listens there any more
     */
    default boolean tell(String channel, String wakes) {
        return true;
    }

    /**
     * Whether no statement takes longer than {@link ServerDialect#NETWORK_TIMEOUT_MS}, on whatever thread, and none is
     * disturbed by an interrupt of that.
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
    Identity identity(Connection connection) throws SQLException;

    /** The exception to be shown for this one: with the cause, and where known with what to do about it. */
    RuntimeException explained(SQLException e, Identity identity, String prefix);

    /** What a connection is connected to. */
    interface Identity {

        /** Whether the place where it was found now holds something else, or nothing. Asked before every verb. */
        boolean isGone();

        /** How people find it. */
        @Override
        String toString();
    }
}
