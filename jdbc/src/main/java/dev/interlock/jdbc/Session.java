package dev.interlock.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One connection, ready for use, with its statements kept prepared. For whoever has the turn of the {@link Worker}. */
final class Session {

    private static final System.Logger LOG = System.getLogger(Session.class.getName());

    /** How many statements go in one request: few, so that there are few sequences of them to be kept prepared. */
    private static final int AT_ONCE = 4;

    /** For how long it is tried to get a connection ready while others are in the way. */
    private static final Duration PREPARATION = Duration.ofSeconds(1);

    private final Connection connection;
    private final Dialect dialect;
    private final Dialect.Identity identity;
    private final String prefix;
    private final Wakes wakes;
    private final Statements statements;
    private final SeenNames seen = new SeenNames();
    private final SeenNames awaited = new SeenNames();
    private final Calls calls = new Calls();
    private final RowWaits rowWaits;
    private final Sweeper sweeper = new Sweeper();
    private final Contention patient;
    private final Contention impatient;
    private Contention contention;
    private boolean inTransaction;

    /** Whether a transaction may be open that could not be rolled back. */
    private boolean inDoubt;

    private Session(
            Connection connection,
            Dialect dialect,
            Dialect.Identity identity,
            String prefix,
            Wakes wakes,
            RowWaits rowWaits,
            Duration patience) {
        this.rowWaits = rowWaits;
        this.wakes = wakes;
        this.connection = connection;
        this.dialect = dialect;
        this.identity = identity;
        this.prefix = prefix;
        this.statements = new Statements(connection, dialect, prefix);
        this.patient = new Contention(dialect, patience);
        this.impatient = new Contention(dialect, Duration.ZERO);
        this.contention = patient;
    }

    static Session open(Connection connection, String prefix, Wakes wakes, RowWaits rowWaits) throws SQLException {
        Dialect dialect = Dialects.of(connection);
        Dialect.Identity identity = dialect.identity(connection);
        try {
            // Others may do so at the same time, and SQLite does not wait for them when it begins the write-ahead log.
            Duration patience = new Contention(dialect, PREPARATION).outwait(() -> dialect.prepare(connection, prefix));
            return new Session(connection, dialect, identity, prefix, wakes, rowWaits, patience);
        } catch (SQLException e) {
            dialect.restore();
            throw dialect.explained(e, identity, prefix);
        } catch (Throwable e) {
            dialect.restore();
            throw e;
        }
    }

    Dialect dialect() {
        return dialect;
    }

    /** Whether the connection leads nowhere any more. */
    boolean isStale() {
        return identity.isGone();
    }

    /** Whether nothing was done by what failed so, and the connection can be used on. */
    boolean isAsGoodAfter(SQLException e) {
        return !inDoubt && dialect.isContention(e);
    }

    /** Whether a transaction could not be ended. */
    boolean isInDoubt() {
        return inDoubt;
    }

    RuntimeException explained(SQLException e) {
        return dialect.explained(e, identity, prefix);
    }

    /** The names that it has seen a row of, or made one of. */
    SeenNames seen() {
        return seen;
    }

    /** The names for which somebody waited when a claim of this client last ended. A hint: others come and go. */
    SeenNames awaited() {
        return awaited;
    }

    /** The wakes that are sent after the commit of this transaction, or were after that of the last. */
    Calls calls() {
        return calls;
    }

    /** Whether a renewal may wait for rows that others keep locked. */
    RowWaits rowWaits() {
        return rowWaits;
    }

    /** Where the client of this session listens; empty if it does not. */
    String channel() {
        return wakes.channel();
    }

    /** Whether it listens by now. */
    boolean isListening() {
        return wakes.isListening();
    }

    /** Before a claim is listed as waiting: begins to listen, where that is possible. */
    void listen() {
        wakes.begin(dialect);
    }

    /** Runs a step that writes; how many rows. */
    int update(Step step, Values values) throws SQLException {
        return outwaited(() -> statements.bound(step, values).executeUpdate());
    }

    /** Runs a step that writes, for each of these; how many rows each. */
    int[] updateAll(Step step, List<Values> all) throws SQLException {
        return outwaited(() -> {
            PreparedStatement statement = statements.bound(step, all.get(0));
            try {
                statement.addBatch();
                for (Values values : all.subList(1, all.size())) {
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
    int[] runAll(List<Command> commands) throws SQLException {
        int[] counts = new int[commands.size()];
        int atOnce = dialect.takesSeveral() ? AT_ONCE : 1;
        for (int from = 0; from < counts.length; from += atOnce) {
            runSome(commands.subList(from, Math.min(counts.length, from + atOnce)), counts, from);
        }
        return counts;
    }

    private void runSome(List<Command> request, int[] counts, int from) throws SQLException {
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
    <T> List<T> query(Step step, Values values, Row<T> row) throws SQLException {
        return outwaited(() -> {
            PreparedStatement statement = statements.bound(step, values);
            List<T> found = read(statement.executeQuery(), row);
            // A driver keeps the rows with the statement, closed or not, until it is used again: of a sweep a thousand.
            statement.getMoreResults();
            return found;
        });
    }

    /** Within a transaction the whole of it is done again, not its last statement. */
    private <T> T outwaited(Work<T> statement) throws SQLException {
        refuseInDoubt();
        return inTransaction ? statement.run() : contention.outwait(statement);
    }

    private static <T> List<T> read(ResultSet rows, Row<T> row) throws SQLException {
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
    <T> T inTransaction(Work<T> work) throws SQLException {
        T result = contention.outwait(() -> {
            refuseInDoubt();
            calls.forget();
            dialect.begin(this);
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
    <T> T withoutWaiting(Work<T> work) throws SQLException {
        contention = impatient;
        try {
            return work.run();
        } finally {
            contention = patient;
        }
    }

    private <T> T finished(Work<T> work) throws SQLException {
        T result;
        try {
            result = work.run();
            dialect.commit(this);
        } catch (Throwable e) {
            // Errors too: the next statement would join the transaction, and be told of what nobody commits.
            rollback(e);
            throw e;
        }
        return result;
    }

    private void rollback(Throwable cause) {
        try {
            dialect.rollback(this);
        } catch (Throwable e) {
            inDoubt = true;
            cause.addSuppressed(e);
        }
    }

    /** Whether some old rows should be removed; to be asked after each verb. */
    boolean isSweepDue() {
        return sweeper.isDueAfterVerb();
    }

    /** Removes some old rows. */
    void sweep() throws SQLException {
        sweeper.step(this);
    }

    /** Runs a statement without parameters, which ends a transaction or begins one. */
    void command(String sql) throws SQLException {
        statements.of(sql).execute();
    }

    /** For what JDBC has a method and no statement. */
    Connection connection() {
        return connection;
    }

    void close() {
        statements.close();
        dialect.restore();
        closeQuietly(connection);
    }

    static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Throwable e) {
            // Nothing depends on it: what was not committed is not there, and the lease of a claim ends by itself.
            LOG.log(System.Logger.Level.DEBUG, "Closing failed", e);
        }
    }

    /** Reads one row. */
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** A statement, or what is done within a transaction. */
    interface Work<T> {
        T run() throws SQLException;
    }
}
