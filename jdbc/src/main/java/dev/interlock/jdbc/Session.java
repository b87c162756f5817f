package dev.interlock.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One connection, ready for use, with its statements kept prepared. Confined to the worker's thread. */
final class Session {

    private static final System.Logger LOG = System.getLogger(Session.class.getName());

    /** For how long it is tried to get a connection ready while others are in the way. */
    private static final Duration PREPARATION = Duration.ofSeconds(1);

    private final Connection connection;
    private final Dialect dialect;
    private final Dialect.Identity identity;
    private final String prefix;
    private final Wakes wakes;
    private final Map<Step, Prepared> statements = new EnumMap<>(Step.class);
    private final Map<String, PreparedStatement> commands = new HashMap<>();
    private final Sweeper sweeper = new Sweeper();
    private final Contention patient;
    private final Contention impatient;
    private Contention contention;
    private boolean inTransaction;

    private Session(
            Connection connection,
            Dialect dialect,
            Dialect.Identity identity,
            String prefix,
            Wakes wakes,
            Duration patience) {
        this.wakes = wakes;
        this.connection = connection;
        this.dialect = dialect;
        this.identity = identity;
        this.prefix = prefix;
        this.patient = new Contention(dialect, patience);
        this.impatient = new Contention(dialect, Duration.ZERO);
        this.contention = patient;
    }

    static Session open(Connection connection, String prefix, Wakes wakes) throws SQLException {
        Dialect dialect = Dialects.of(connection);
        Dialect.Identity identity = dialect.identity(connection);
        Duration patience;
        try {
            // Others may do so at the same time, and SQLite does not wait for them when it begins the write-ahead log.
            patience = new Contention(dialect, PREPARATION).outwait(() -> dialect.prepare(connection, prefix));
        } catch (SQLException e) {
            throw dialect.explained(e, identity, prefix);
        }
        return new Session(connection, dialect, identity, prefix, wakes, patience);
    }

    Dialect dialect() {
        return dialect;
    }

    /** Whether the connection leads nowhere any more. */
    boolean isStale() {
        return identity.isGone();
    }

    RuntimeException explained(SQLException e) {
        return dialect.explained(e, identity, prefix);
    }

    /** Where the client of this session listens; empty if it does not. */
    String channel() {
        return wakes.channel();
    }

    /** Whether it listens by now. */
    boolean isListening() {
        return wakes.isListening();
    }

    /** Before a claim may have to wait: begins to listen, where that is possible. */
    void listen() {
        if (dialect.wakes()) {
            wakes.begin();
        }
    }

    /** Runs a step that returns nothing. */
    void execute(Step step, Values values) throws SQLException {
        update(step, values);
    }

    /** Runs a step that writes; how many rows. */
    int update(Step step, Values values) throws SQLException {
        return outwaited(() -> bound(step, values).executeUpdate());
    }

    /** Runs a step that writes, for each of these; how many rows each. */
    int[] updateAll(Step step, List<Values> all) throws SQLException {
        return outwaited(() -> {
            PreparedStatement statement = bound(step, all.get(0));
            try {
                statement.addBatch();
                for (Values values : all.subList(1, all.size())) {
                    bound(step, values).addBatch();
                }
                return statement.executeBatch();
            } finally {
                statement.clearBatch();
            }
        });
    }

    /** Runs a step and reads its rows. */
    <T> List<T> query(Step step, Values values, Row<T> row) throws SQLException {
        return outwaited(() -> rows(step, values, row));
    }

    /** Within a transaction the whole of it is done again, not its last statement. */
    private <T> T outwaited(Work<T> statement) throws SQLException {
        return inTransaction ? statement.run() : contention.outwait(statement);
    }

    private <T> List<T> rows(Step step, Values values, Row<T> row) throws SQLException {
        List<T> found = new ArrayList<>();
        // Read to the end: in autocommit mode it is the end that commits, and says so if it cannot.
        try (ResultSet rows = bound(step, values).executeQuery()) {
            while (rows.next()) {
                found.add(row.read(rows));
            }
        }
        return found;
    }

    /** Runs the work in one transaction of its own; again, if it was undone for the sake of others. */
    <T> T inTransaction(Work<T> work) throws SQLException {
        return contention.outwait(() -> {
            dialect.begin(this);
            inTransaction = true;
            try {
                return finished(work);
            } finally {
                inTransaction = false;
            }
        });
    }

    /** Runs the work, whose steps fail at once if others write. */
    void withoutWaiting(Work<?> work) throws SQLException {
        contention = impatient;
        try {
            work.run();
        } finally {
            contention = patient;
        }
    }

    private <T> T finished(Work<T> work) throws SQLException {
        T result;
        try {
            result = work.run();
            dialect.commit(this);
        } catch (SQLException | RuntimeException e) {
            try {
                dialect.rollback(this);
            } catch (SQLException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
        return result;
    }

    /** Removes some old rows, now and then. */
    void sweepSometimes() throws SQLException {
        sweeper.step(this);
    }

    /** Runs a statement without parameters, which ends a transaction or begins one. */
    void command(String sql) throws SQLException {
        PreparedStatement statement = commands.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            commands.put(sql, statement);
        }
        statement.execute();
    }

    /** For what JDBC has a method and no statement. */
    Connection connection() {
        return connection;
    }

    void close() {
        statements.values().forEach(prepared -> closeQuietly(prepared.statement));
        commands.values().forEach(Session::closeQuietly);
        try {
            dialect.restore(connection);
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.DEBUG, "Giving a connection back as it was failed", e);
        }
        closeQuietly(connection);
    }

    static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            // Nothing depends on it: what was not committed is not there, and the lease of a claim ends by itself.
            LOG.log(System.Logger.Level.DEBUG, "Closing failed", e);
        }
    }

    private PreparedStatement bound(Step step, Values values) throws SQLException {
        Prepared prepared = prepared(step);
        for (int i = 0; i < prepared.parameters.size(); i++) {
            Object value = values.get(prepared.parameters.get(i));
            prepared.statement.setObject(
                    i + 1, value instanceof Values.Name name ? dialect.encoded(name.text()) : value);
        }
        return prepared.statement;
    }

    private Prepared prepared(Step step) throws SQLException {
        Prepared prepared = statements.get(step);
        if (prepared == null) {
            NamedSql sql = NamedSql.parse(dialect.sql(step), prefix);
            prepared = new Prepared(connection.prepareStatement(sql.text()), sql.parameters());
            statements.put(step, prepared);
        }
        return prepared;
    }

    /** Reads one row. */
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** A statement, or what is done within a transaction. */
    interface Work<T> {
        T run() throws SQLException;
    }

    private record Prepared(PreparedStatement statement, List<String> parameters) {}
}
