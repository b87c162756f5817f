package dev.interlock.jdbc;

import dev.interlock.jdbc.dialect.SqlStatement;
import dev.interlock.jdbc.wake.WakeMessage;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.support.rules.NameState;
import dev.interlock.support.rules.Waiter;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the rows of one name, writes what changes, and sends the wakes. */
final class NameTables {

    /**
     * Each of these writes one row. If it does not, somebody has deleted the row who does not use row locks, and the
     * transaction is repeated; or a trigger keeps it away, and what is not written must not be granted.
     */
    private static final Set<SqlStatement> WRITES_ONE = EnumSet.of(
            SqlStatement.INSERT_CLAIM, SqlStatement.UPDATE_CLAIM, SqlStatement.UPDATE_NAME, SqlStatement.UPDATE_HOLDER);

    private final Session session;

    NameTables(Session session) {
        this.session = session;
    }

    // ---- reading

    /** Reads a name without a lock; empty if it has no row. */
    Optional<LoadedName> peek(Claim claim) throws SQLException {
        return read(SqlStatement.LOAD, Parameters.of(claim), new NameReader(claim.id(), false));
    }

    /** As {@link #peek}, with the parties. */
    Optional<LoadedName> inspect(LockId id) throws SQLException {
        return read(SqlStatement.INSPECT, Parameters.of(id).with("owner", ""), new NameReader(id, true));
    }

    private Optional<LoadedName> read(SqlStatement statement, Parameters parameters, NameReader reader)
            throws SQLException {
        session.query(statement, parameters, reader::add);
        return reader.result();
    }

    /** Acquires a lock that is free, if the name has a row. */
    Tried acquireOrPeek(Claim claim) throws SQLException {
        NameReader reader = new NameReader(claim.id(), false);
        List<Long> fences = session.query(SqlStatement.ACQUIRE_OR_LOAD, Parameters.of(claim), row -> {
            reader.add(row);
            return row.getLong(NameReader.MORE);
        });
        // The same in all rows.
        return new Tried(fences.isEmpty() ? 0 : fences.get(0), reader.result());
    }

    /**
     * The result of a try.
     *
     * @param fence the fence of the grant; 0 if the lock is busy
     * @param before the name as it was before; empty if it has no row
     */
    record Tried(long fence, Optional<LoadedName> before) {}

    /** Within a transaction: reads a name that nobody changes before the transaction ends. */
    LoadedName locked(Claim claim) throws SQLException {
        Optional<LoadedName> found = lockedToChange(claim);
        if (found.isPresent()) {
            return found.get();
        }
        session.update(SqlStatement.INSERT_NAME, Parameters.of(claim));
        return lockedToChange(claim).orElseThrow(ContentionRetry::vanished);
    }

    /** As {@link #locked(Claim)}, but empty if the name has no row. */
    Optional<LoadedName> lockedToChange(Claim claim) throws SQLException {
        return locked(SqlStatement.LOCK_NAME, claim);
    }

    /** As {@link #locked(Claim)}, for a transaction that grants nothing; empty if the name has no row. */
    Optional<LoadedName> lockedToRelease(Claim claim) throws SQLException {
        return locked(SqlStatement.LOCK_TO_RELEASE, claim);
    }

    private Optional<LoadedName> locked(SqlStatement lock, Claim claim) throws SQLException {
        if (!session.dialect().locksRows()) {
            return peek(claim);
        }
        Parameters parameters = Parameters.of(claim);
        NameReader reader = new NameReader(claim.id(), false);
        int[] counts = session.runAll(List.of(
                new BoundStatement(lock, parameters), new BoundStatement(SqlStatement.LOAD, parameters, reader::add)));
        Optional<LoadedName> found = reader.result();
        if (found.isPresent() && counts[0] != 1) {
            // It was inserted between the two, and is not locked; or the first answer was cut short.
            throw ContentionRetry.vanished();
        }
        return found;
    }

    // ---- writing

    /**
     * Within a transaction, of which this is the last request: writes the next state of a name, and wakes these
     * waiters, after the commit. Where a request may contain several statements, it commits.
     */
    void save(LoadedName name, NameState next, List<Waiter> woken, Claim claim) throws SQLException {
        List<BoundStatement> statements =
                NameChanges.of(name, next, claim, session.dialect().deletesFreeNames());
        for (Waiter waiter : woken) {
            if (!waiter.polls()) {
                addWake(
                        claim.id(),
                        waiter.owner(),
                        waiter.channel(),
                        !waiter.mode().inOrder(),
                        statements);
            }
        }
        if (claim.forced() && name.current().holder(claim.owner()) != null) {
            addWake(claim.id(), claim.owner(), WakeMessage.EVERYBODY, false, statements);
        }
        if (!statements.isEmpty() && session.dialect().acceptsMultipleStatements()) {
            statements.add(new BoundStatement(SqlStatement.COMMIT, new Parameters()));
        }
        int[] counts = written(statements);
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] != 1 && WRITES_ONE.contains(statements.get(i).statement())) {
                throw ContentionRetry.vanished();
            }
        }
    }

    /** A commit among them ends the transaction: the statement that misses its row must fail before, by itself. */
    private int[] written(List<BoundStatement> statements) throws SQLException {
        try {
            return session.runAll(statements);
        } catch (SQLException e) {
            if (session.dialect().isMissingRow(e)) {
                throw ContentionRetry.vanished();
            }
            throw e;
        }
    }

    private void addWake(
            LockId id, OwnerId owner, String channel, boolean mayOvertake, List<BoundStatement> statements) {
        String message = WakeMessage.of(id, owner.value());
        if (session.dialect().notifiesOnCommit()) {
            Parameters parameters = new Parameters().with("channel", channel).with("payload", message);
            statements.add(new BoundStatement(SqlStatement.NOTIFY, parameters));
        } else {
            session.pendingWakes().add(channel, message, mayOvertake);
        }
    }
}
