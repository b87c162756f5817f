package dev.interlock.jdbc.session;

import dev.interlock.jdbc.connection.ConnectionTarget;
import dev.interlock.jdbc.connection.Resources;
import dev.interlock.jdbc.dialect.Dialect;
import dev.interlock.jdbc.dialect.Dialects;
import dev.interlock.jdbc.dialect.SqlStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One connection, ready for use, with its statements kept prepared. For whoever has the turn of the {@link Worker}. */
public final class Session {

    /** How many statements go in one request: few, so that there are few sequences of them to be kept prepared. */
    private static final int AT_ONCE = 4;

    /** For how long it is tried to get a connection ready while others are in the way. */
    private static final Duration PREPARATION = Duration.ofSeconds(1);

    private final Connection connection;
    private final Dialect dialect;
    private final ConnectionTarget target;
    private final String prefix;
    private final WakeSubscription wakes;
    private final StatementCache statements;
    private final RecentNames seen = new RecentNames();
    private final RecentNames awaited = new RecentNames();
    private final PendingWakes calls = new PendingWakes();
    private final RowLockWaits rowWaits;
    private final ContentionRetry patient;
    private final ContentionRetry impatient;
    private ContentionRetry contention;
    private boolean inTransaction;

    /** Whether a transaction may be open that could not be rolled back. */
    private boolean inDoubt;

    private Session(
            Connection connection,
            Dialect dialect,
            ConnectionTarget target,
            String prefix,
            WakeSubscription wakes,
            RowLockWaits rowWaits,
            Duration patience) {
        this.rowWaits = rowWaits;
        this.wakes = wakes;
        this.connection = connection;
        this.dialect = dialect;
        this.target = target;
        this.prefix = prefix;
        this.statements = new StatementCache(connection, dialect, prefix);
        this.patient = new ContentionRetry(dialect, patience);
        this.impatient = new ContentionRetry(dialect, Duration.ZERO);
        this.contention = patient;
    }

    static Session open(Connection connection, String prefix, WakeSubscription wakes, RowLockWaits rowWaits)
            throws SQLException {
        Dialect dialect = Dialects.of(connection);
        ConnectionTarget target = dialect.target(connection);
        try {
            // Others may do so at the same time, and SQLite does not wait for them when it begins the write-ahead log.
            Duration patience =
                    new ContentionRetry(dialect, PREPARATION).outwait(() -> dialect.prepare(connection, prefix));
            return new Session(connection, dialect, target, prefix, wakes, rowWaits, patience);
        } catch (SQLException e) {
            dialect.restore();
            throw dialect.explained(e, target, prefix);
        } catch (Throwable e) {
            dialect.restore();
            throw e;
        }
    }

    public Dialect dialect() {
        return dialect;
    }

    /** Whether the connection leads nowhere any more. */
    boolean isStale() {
        return target.isGone();
    }

    /** Whether nothing was done by what failed so, and the connection can be used on. */
    public boolean isAsGoodAfter(SQLException e) {
        return !inDoubt && dialect.isContention(e);
    }

    /** Whether a transaction could not be ended. */
    boolean isInDoubt() {
        return inDoubt;
    }

    RuntimeException explained(SQLException e) {
        return dialect.explained(e, target, prefix);
    }

    /** The names that it has seen a row of, or made one of. */
    public RecentNames seen() {
        return seen;
    }

    /** The names for which somebody waited when a claim of this client last ended. A hint: others come and go. */
    public RecentNames awaited() {
        return awaited;
    }

    /** The wakes that are sent after the commit of this transaction, or were after that of the last. */
    public PendingWakes calls() {
        return calls;
    }

    /** Whether a renewal may wait for rows that others keep locked. */
    public RowLockWaits rowWaits() {
        return rowWaits;
    }

    /** Where the client of this session listens; empty if it does not. */
    public String channel() {
        return wakes.channel();
    }

    /** Whether it listens by now. */
    public boolean isListening() {
        return wakes.isListening();
    }

    /** Before a claim is listed as waiting: begins to listen, where that is possible. */
    public void listen() {
        wakes.begin(dialect);
    }

    /** Runs a step that writes; how many rows. */
    public int update(SqlStatement step, Parameters values) throws SQLException {
        return outwaited(() -> statements.bound(step, values).executeUpdate());
    }

    /** Runs a step that writes, for each of these; how many rows each. */
    int[] updateAll(SqlStatement step, List<Parameters> all) throws SQLException {
        return outwaited(() -> {
            PreparedStatement statement = statements.bound(step, all.get(0));
            try {
                statement.addBatch();
                for (Parameters values : all.subList(1, all.size())) {
                    statements.bound(step, values).addBatch();
                }
                return statement.executeBatch();
            } finally {
                statement.clearBatch();
            }
        });
    }

    /**
     * Runs these in their order, within a transaction; in one request, where the database takes several.
     *
     * @return how many rows each has written or found
     */
    public int[] runAll(List<BoundStatement> commands) throws SQLException {
        int[] counts = new int[commands.size()];
        int atOnce = dialect.takesSeveral() ? AT_ONCE : 1;
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
            counts[from + i] =
                    found ? read(statement.getResultSet(), request.get(i).row()).size() : statement.getUpdateCount();
        }
    }

    /** Runs a step and reads its rows. */
    public <T> List<T> query(SqlStatement step, Parameters values, RowReader<T> row) throws SQLException {
        return outwaited(() -> {
            PreparedStatement statement = statements.bound(step, values);
            List<T> found = read(statement.executeQuery(), row);
            // A driver keeps the rows with the statement, closed or not, until it is used again: of a sweep a thousand.
            statement.getMoreResults();
            return found;
        });
    }

    /** Within a transaction the whole of it is done again, not its last statement. */
    private <T> T outwaited(ContentionRetry.Work<T> statement) throws SQLException {
        refuseInDoubt();
        return inTransaction ? statement.run() : contention.outwait(statement);
    }

    private static <T> List<T> read(ResultSet rows, RowReader<T> row) throws SQLException {
        List<T> found = new ArrayList<>();
        // Read to the end: in autocommit mode it is the end that commits, and says so if it cannot.
        try (rows) {
            while (rows.next()) {
                found.add(row.read(rows));
            }
        }
        return found;
    }

    /** Runs the work in one transaction of its own; again, if it was undone for the sake of others. */
    public <T> T inTransaction(ContentionRetry.Work<T> work) throws SQLException {
        T result = contention.outwait(() -> {
            refuseInDoubt();
            calls.forget();
            begin();
            inTransaction = true;
            try {
                return finished(work);
            } finally {
                inTransaction = false;
            }
        });
        calls.tell(dialect);
        return result;
    }

    /** What joined a transaction that nobody commits would be told of a grant that is not there. */
    private void refuseInDoubt() throws SQLException {
        if (inDoubt) {
            throw new SQLException("A transaction could not be rolled back");
        }
    }

    /** Runs the work, whose steps fail at once if others write. */
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
            // Errors too: the next statement would join the transaction, and be told of what nobody commits.
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
