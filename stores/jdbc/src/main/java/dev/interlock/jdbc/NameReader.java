package dev.interlock.jdbc;

import dev.interlock.Party;
import dev.interlock.jdbc.dialect.Dialect;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.support.rules.Holder;
import dev.interlock.support.rules.Mark;
import dev.interlock.support.rules.NameState;
import dev.interlock.support.rules.Waiter;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds the state of a name from the rows of {@code LOAD}, {@code INSPECT} or {@code ACQUIRE_OR_LOAD}. */
final class NameReader {

    /** The first column of the name, after the time and the number of claims. */
    private static final int NAME = 3;

    /** The first column of a claim, after those of the name. */
    private static final int CLAIM = 13;

    /**
     * The first column after those of a claim: in {@code INSPECT} four of the party of a lock's holder, and four of the
     * party of the claim; in {@code ACQUIRE_OR_LOAD} the fence.
     */
    static final int MORE = 23;

    private static final Comparator<Waiter> ORDER =
            Comparator.comparingLong(Waiter::since).thenComparingLong(Waiter::arrival);

    private final LockId id;
    private final boolean withParties;
    private final List<Holder> holders = new ArrayList<>();
    private final List<Waiter> waiters = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();
    private @Nullable NameColumns columns;
    private long nowMs;
    private final WholeAnswer answer = new WholeAnswer();

    NameReader(LockId id, boolean withParties) {
        this.id = id;
        this.withParties = withParties;
    }

    /** Reads one row: each has the columns of the name, and those of a claim if there is one. */
    boolean add(ResultSet row) throws SQLException {
        if (row.getString(NAME) == null) {
            // Claims without a name are none.
            answer.add(1);
            return true;
        }
        answer.add(Math.max(1, row.getLong(2)));
        NameColumns name = columns;
        if (name == null) {
            name = NameColumns.read(row);
            nowMs = row.getLong(1);
            columns = name;
            addHolder(name, row);
        }
        String owner = row.getString(CLAIM);
        if (owner != null) {
            addClaim(new OwnerId(owner), name.amount(), row);
        }
        return true;
    }

    /**
     * The name; empty if it has no row.
     *
     * @throws SQLException if the answer does not have all rows, so that it says nothing
     */
    Optional<LoadedName> result() throws SQLException {
        if (answer.all() > Dialect.MOST_ROWS) {
            throw new UnreadableNameException("The name '" + id.printable() + "' has too many claims to read: most="
                    + Dialect.MOST_ROWS + "; remove those that nobody needs");
        }
        answer.check();
        NameColumns name = columns;
        if (name == null) {
            return Optional.empty();
        }
        waiters.sort(ORDER);
        NameState stored = new NameState(id, holders, waiters, marks, name.amount(), name.keptMs(), name.fence());
        return Optional.of(LoadedName.of(name, stored, nowMs));
    }

    private void addHolder(NameColumns name, ResultSet row) throws SQLException {
        if (id.kind() != LockKind.LOCK || name.untilMs() <= 0) {
            return;
        }
        OwnerId owner = new OwnerId(name.owner());
        if (name.held()) {
            holders.add(new Holder(
                    owner,
                    party(row, MORE),
                    ModeCode.of(name.mode(), 0, 0),
                    name.sinceMs(),
                    name.untilMs(),
                    name.leaseMs(),
                    name.fence()));
        } else {
            marks.add(new Mark(Mark.Kind.RESERVED, owner, name.untilMs(), name.leaseMs()));
        }
    }

    private void addClaim(OwnerId owner, int capacity, ResultSet row) throws SQLException {
        String state = row.getString(CLAIM + 1);
        dev.interlock.spi.Mode mode = ModeCode.of(row.getString(CLAIM + 2), row.getInt(CLAIM + 3), capacity);
        long sinceMs = row.getLong(CLAIM + 5);
        long untilMs = row.getLong(CLAIM + 6);
        long leaseMs = row.getLong(CLAIM + 7);
        if (state.equals(RowState.HELD)) {
            long fence = row.getLong(CLAIM + 4);
            holders.add(new Holder(owner, party(row, MORE + 4), mode, sinceMs, untilMs, leaseMs, fence));
        } else if (RowState.isWaiter(state)) {
            waiters.add(new Waiter(
                    owner,
                    party(row, MORE + 4),
                    mode,
                    sinceMs,
                    row.getLong(CLAIM + 8),
                    untilMs,
                    leaseMs,
                    row.getString(CLAIM + 9),
                    RowState.isWoken(state)));
        } else {
            marks.add(new Mark(RowState.markKind(state), owner, untilMs, leaseMs));
        }
    }

    private Party party(ResultSet row, int first) throws SQLException {
        return withParties
                ? new Party(
                        row.getString(first),
                        row.getLong(first + 1),
                        row.getString(first + 2),
                        row.getString(first + 3))
                : Party.UNKNOWN;
    }
}
