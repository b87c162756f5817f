package dev.interlock.jdbc;

import dev.interlock.jdbc.connection.ConnectionTarget;
import dev.interlock.jdbc.connection.Resources;
import dev.interlock.jdbc.dialect.Dialect;
import dev.interlock.jdbc.dialect.Dialects;
import dev.interlock.jdbc.dialect.SqlStatement;
import dev.interlock.support.Examination;
import dev.interlock.support.Finding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection that is ready for use, with its prepared statements, transactions and retries. For the thread that has
 * the session lock of the {@link Worker}.
 */
final class Session {

    /**
     * How many statements one request contains: few, so that there are few different sequences to keep prepared; and
     * those of a release that wakes somebody, with their commit.
     */
    private static final int AT_ONCE = 5;

    /**
     * For how long a transaction that operations share tries to begin. Then they try one by one, as long as each may:
     * those that only read need not wait for others that write.
     */
    private static final Duration SHARED_PATIENCE = Duration.ofMillis(20);

    /** For how long the preparation of a connection is retried while others are in the way. */
    private static final Duration PREPARATION = Duration.ofSeconds(1);

    private final Connection connection;
    private final Dialect dialect;
    private final ConnectionTarget target;
    private final String prefix;
    private final WakeSubscription wakes;
    private final StatementCache statements;
    private final RecentNames knownNames = new RecentNames();
    private final RecentNames contendedNames = new RecentNames();
    private final RecentNames busyNames = new RecentNames();
    private final PendingWakes pendingWakes = new PendingWakes();
    private final RowLockWaits rowLockWaits;
    private final ContentionRetry patient;
    private final ContentionRetry impatient;
    private final ContentionRetry brief;
    private ContentionRetry contention;
    private boolean inTransaction;

    /** Whether that transaction is shared by several operations. */
    private boolean shared;

    /** What is to be done after the commit of a shared transaction. */
    private Runnable afterShared = () -> {};

    /** Whether a transaction may be open that could not be rolled back. */
    private boolean inDoubt;

    private Session(
            Connection connection,
            Dialect dialect,
            ConnectionTarget target,
            String prefix,
            WakeSubscription wakes,
            RowLockWaits rowLockWaits,
            Duration patience) {
        this.rowLockWaits = rowLockWaits;
        this.wakes = wakes;
        this.connection = connection;
        this.dialect = dialect;
        this.target = target;
        this.prefix = prefix;
        this.statements = new StatementCache(connection, dialect, prefix);
        this.patient = new ContentionRetry(dialect, patience);
        this.impatient = new ContentionRetry(dialect, Duration.ZERO);
        this.brief = new ContentionRetry(dialect, SHARED_PATIENCE);
        this.contention = patient;
    }

    static Session open(Connection connection, String prefix, WakeSubscription wakes, RowLockWaits rowLockWaits)
            throws SQLException {
        Dialect dialect = Dialects.of(connection);
        ConnectionTarget target = dialect.target(connection);
        try {
            // Others may do so at the same time, and SQLite does not wait for them when it starts the write-ahead log.
            Duration patience =
                    new ContentionRetry(dialect, PREPARATION).retry(() -> dialect.prepare(connection, prefix));
            return new Session(connection, dialect, target, prefix, wakes, rowLockWaits, patience);
        } catch (SQLException e) {
            dialect.restore();
            throw dialect.explained(e, target, prefix);
        } catch (Throwable e) {
            dialect.restore();
            throw e;
        }
    }

    Connection connection() {
        return connection;
    }

    Dialect dialect() {
        return dialect;
    }

    /** Whether the connection leads to a place that is gone. */
    boolean isStale() {
        return target.isGone();
    }

    /** Whether the failed statement has changed nothing, and the connection is usable. */
    boolean isUsableAfter(SQLException e) {
        return !inDoubt && dialect.isContention(e);
    }

    /** Whether a transaction could not be ended. */
    boolean isInDoubt() {
        return inDoubt;
    }

    RuntimeException explained(SQLException e) {
        return dialect.explained(e, target, prefix);
    }

    Throwable explained(Throwable e) {
        return e instanceof SQLException failure ? explained(failure) : e;
    }

    /** Whether operations may share a transaction: where each locks the whole database anyway. */
    boolean canShare() {
        return !dialect.locksRows();
    }

    /** The names that had a row when this client last used them. */
    RecentNames knownNames() {
        return knownNames;
    }

    /** The names for which somebody waited when this client last released them. */
    RecentNames contendedNames() {
        return contendedNames;
    }

    /** The names that this client's last claims did not get at once. None where the database is a file. */
    RecentNames busyNames() {
        return busyNames;
    }

    /** The wakes to send after the commit of the current transaction, or those of the last one. */
    PendingWakes pendingWakes() {
        return pendingWakes;
    }

    /** Whether a renewal may wait for rows that others have locked. */
    RowLockWaits rowLockWaits() {
        return rowLockWaits;
    }

    /** The channel on which this client listens for wakes; empty if it does not. */
    String channel() {
        return wakes.channel();
    }

    /** Whether every wake that is sent from now on arrives. */
    boolean isListening() {
        return wakes.isListening();
    }

    /** Begins to listen for wakes, where that is possible. Called before a claim is listed as waiting. */
    void listen() {
        wakes.start(dialect);
    }

    /** Runs a statement that writes; returns the row count. */
    int update(SqlStatement sql, Parameters values) throws SQLException {
        return retried(() -> statements.bound(sql, values).executeUpdate());
    }

    /** Runs a statement that writes, once for each of these parameters; returns the row count of each. */
    int[] updateAll(SqlStatement sql, List<Parameters> all) throws SQLException {
        return retried(() -> {
            PreparedStatement statement = statements.bound(sql, all.get(0));
            try {
                statement.addBatch();
                for (Parameters values : all.subList(1, all.size())) {
                    statements.bound(sql, values).addBatch();
                }
                return statement.executeBatch();
            } finally {
                statement.clearBatch();
            }
        });
    }

    /**
     * Runs statements in this order, within a transaction; several in one request, where the database accepts that.
     *
     * @return the row count of each: rows written, or rows found
     */
    int[] runAll(List<BoundStatement> commands) throws SQLException {
        int[] counts = new int[commands.size()];
        int atOnce = dialect.acceptsMultipleStatements() ? AT_ONCE : 1;
        for (int from = 0; from < counts.length; from += atOnce) {
            runSome(commands.subList(from, Math.min(counts.length, from + atOnce)), counts, from);
        }
        return counts;
    }

    private void runSome(List<BoundStatement> request, int[] counts, int from) throws SQLException {
        PreparedStatement statement = statements.bound(request);
        boolean found = statement.execute();
        for (int i = 0; i < request.size(); i++) {
            if (i > 0) {
                found = statement.getMoreResults();
            }
            counts[from + i] = found
                    ? read(statement.getResultSet(), request.get(i).reader()).size()
                    : statement.getUpdateCount();
        }
    }

    /** Reads the clock of the server, in milliseconds since 1970. */
    long clock() throws SQLException {
        try (ResultSet row = statements.of(dialect.clockQuery()).executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Looks at the server, with the rights of the user. */
    List<Finding> diagnose() {
        Examination found = new Examination();
        dialect.examine(connection, prefix, found);
        return found.findings();
    }

    /** Runs a query and reads its rows. */
    <T> List<T> query(SqlStatement sql, Parameters values, RowReader<T> row) throws SQLException {
        return retried(() -> {
            PreparedStatement statement = statements.bound(sql, values);
            List<T> found = read(statement.executeQuery(), row);
            // A driver keeps the rows with the statement, even a closed one, until the next use: a thousand rows after
            // a sweep.
            statement.getMoreResults();
            return found;
        });
    }

    /** Within a transaction the whole transaction is retried, not its last statement. */
    private <T> T retried(ContentionRetry.Work<T> statement) throws SQLException {
        refuseInDoubt();
        return inTransaction ? statement.run() : contention.retry(statement);
    }

    private static <T> List<T> read(ResultSet rows, RowReader<T> row) throws SQLException {
        List<T> found = new ArrayList<>();
        // Reads to the end: with auto-commit, only the end commits, and reports if it cannot.
        try (rows) {
            while (rows.next()) {
                found.add(row.read(rows));
            }
        }
        return found;
    }

    /** Runs the work in a transaction of its own; retries it if the database rolls it back because of others. */
    <T> T inTransaction(ContentionRetry.Work<T> work) throws SQLException {
        return inTransaction(work, () -> {});
    }

    /**
     * As {@link #inTransaction(ContentionRetry.Work)}, or as a part of the transaction that operations share.
     *
     * @param afterWakes runs after the commit, when the wakes of the transaction have been sent; not needed without any
     */
    <T> T inTransaction(ContentionRetry.Work<T> work, Runnable afterWakes) throws SQLException {
        if (shared) {
            T result = work.run();
            // The first that has wakes is the last one in the transaction.
            afterShared = afterWakes;
            return result;
        }
        T result = contention.retry(() -> {
            refuseInDoubt();
            pendingWakes.clear();
            begin();
            inTransaction = true;
            try {
                return finished(work);
            } finally {
                inTransaction = false;
            }
        });
        pendingWakes.send(dialect);
        afterWakes.run();
        return result;
    }

    // ---- a transaction that operations share; see Batch

    void beginShared() throws SQLException {
        brief.retry(() -> {
            refuseInDoubt();
            begin();
            return true;
        });
        pendingWakes.clear();
        afterShared = () -> {};
        inTransaction = true;
        shared = true;
    }

    void rollbackShared(Throwable cause) {
        endShared();
        pendingWakes.clear();
        rollback(cause);
    }

    void commitShared() throws SQLException {
        endShared();
        try {
            commit();
        } catch (Throwable e) {
            pendingWakes.clear();
            rollback(e);
            throw e;
        }
    }

    private void endShared() {
        inTransaction = false;
        shared = false;
    }

    /** Sends the wakes of the shared transaction, after its commit. */
    void wakeShared() {
        pendingWakes.send(dialect);
        afterShared.run();
    }

    // ---- the end of a transaction

    /** A statement that joined a transaction which nobody commits would report a grant that does not exist. */
    private void refuseInDoubt() throws SQLException {
        if (inDoubt) {
            throw new SQLException("A transaction could not be rolled back");
        }
    }

    /** Runs work whose statements fail at once if others are in the way. */
    <T> T withoutWaiting(ContentionRetry.Work<T> work) throws SQLException {
        contention = impatient;
        try {
            return work.run();
        } finally {
            contention = patient;
        }
    }

    private <T> T finished(ContentionRetry.Work<T> work) throws SQLException {
        T result;
        try {
            result = work.run();
            commit();
        } catch (Throwable e) {
            // Errors too: the next statement would join the transaction, and report what nobody commits.
            rollback(e);
            throw e;
        }
        return result;
    }

    private void rollback(Throwable cause) {
        try {
            rollback();
        } catch (Throwable e) {
            inDoubt = true;
            cause.addSuppressed(e);
        }
    }

    private void begin() throws SQLException {
        String command = dialect.beginCommand();
        if (command == null) {
            connection.setAutoCommit(false);
        } else {
            statements.of(command).execute();
        }
    }

    private void commit() throws SQLException {
        if (dialect.beginCommand() == null) {
            connection.commit();
            connection.setAutoCommit(true);
        } else {
            statements.of("COMMIT").execute();
        }
    }

    private void rollback() throws SQLException {
        if (dialect.beginCommand() == null) {
            connection.rollback();
            connection.setAutoCommit(true);
        } else {
            statements.of("ROLLBACK").execute();
        }
    }

    void close() {
        statements.close();
        dialect.restore();
        Resources.closeQuietly(connection);
    }
}
