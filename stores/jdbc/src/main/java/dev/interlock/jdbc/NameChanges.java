package dev.interlock.jdbc;

import static dev.interlock.support.rules.Mark.Kind.RESERVED;
import static dev.interlock.support.rules.Mark.Kind.SETTER;

import dev.interlock.jdbc.dialect.SqlStatement;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.support.rules.Holder;
import dev.interlock.support.rules.Mark;
import dev.interlock.support.rules.NameState;
import dev.interlock.support.rules.Waiter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The statements that write the difference between the rows of a name and a new state. The holder of a lock, of which
 * there is one, and the reservation are in the row of the name, so that the usual acquire and release are one statement
 * on one row. Every other entry is a row of its own; an owner has one row at most.
 */
// References are compared on purpose: an entry that does not change stays the same object.
@SuppressWarnings("ReferenceEquality")
final class NameChanges {

    private final LoadedName name;
    private final NameState next;
    private final Claim claim;
    private final List<BoundStatement> statements = new ArrayList<>();

    private NameChanges(LoadedName name, NameState next, Claim claim) {
        this.name = name;
        this.next = next;
        this.claim = claim;
    }

    /**
     * The statements, in their order.
     *
     * @param claim whose request this is: new rows have its party
     * @param deletesFreeNames whether the row of a free name goes
     */
    static List<BoundStatement> of(LoadedName name, NameState next, Claim claim, boolean deletesFreeNames) {
        NameChanges changes = new NameChanges(name, next, claim);
        changes.addClaims();
        changes.addName(deletesFreeNames);
        return changes.statements;
    }

    private void addClaims() {
        Map<String, Object> before = rows(name.stored());
        Map<String, Object> after = rows(next);
        for (String owner : before.keySet()) {
            if (!after.containsKey(owner)) {
                add(SqlStatement.DELETE_CLAIM, ofName().with("owner", owner));
            }
        }
        if (forgetsCounted()) {
            add(SqlStatement.DELETE_COUNTED, ofName());
        }
        after.forEach((owner, entry) -> {
            Object stored = before.get(owner);
            if (stored == null) {
                add(SqlStatement.INSERT_CLAIM, with(Parameters.of(claim), owner, entry));
            } else if (stored != entry) {
                add(SqlStatement.UPDATE_CLAIM, with(ofName(), owner, entry));
            }
        });
    }

    /** The entries that have a row in the table of claims, by owner. */
    private static Map<String, Object> rows(NameState state) {
        Map<String, Object> rows = new LinkedHashMap<>();
        if (state.id().kind() != LockKind.LOCK) {
            state.holders().forEach(holder -> rows.put(holder.owner().value(), holder));
        }
        state.waiters().forEach(waiter -> rows.put(waiter.owner().value(), waiter));
        for (Mark mark : state.marks()) {
            if (mark.kind() != RESERVED) {
                rows.put(mark.owner().value(), mark);
            }
        }
        return rows;
    }

    /** Whether a latch begins anew: those that have counted it down are not read, but for the claim that asks. */
    private boolean forgetsCounted() {
        if (next.id().kind() != LockKind.LATCH) {
            return false;
        }
        Mark setter = next.mark(SETTER, null);
        boolean isSet = setter != null && setter != name.current().mark(SETTER, null);
        return isSet || (name.columns().amount() > 0 && name.current().keptUntil() == 0);
    }

    private void addName(boolean deletesFreeNames) {
        NameColumns columns = columns(next);
        if (deletesFreeNames && next.isEmpty()) {
            add(SqlStatement.DELETE_NAME, ofName());
        } else if (isGrantOfALock(columns)) {
            add(SqlStatement.UPDATE_HOLDER, columns.in(Parameters.of(claim)));
        } else if (!columns.equals(name.columns())) {
            add(SqlStatement.UPDATE_NAME, columns.in(ofName()));
        }
    }

    /** Whether the row has a new holder, whose party is to be stored, too. */
    private boolean isGrantOfALock(NameColumns columns) {
        NameColumns before = name.columns();
        return columns.held()
                && !(before.held() && before.owner().equals(columns.owner()) && before.fence() == columns.fence());
    }

    private static NameColumns columns(NameState state) {
        long listedMs = state.waiters().stream().mapToLong(Waiter::until).max().orElse(0);
        Mark reservation = state.reservation();
        if (state.id().kind() == LockKind.LOCK && !state.holders().isEmpty()) {
            Holder holder = state.holders().get(0);
            return new NameColumns(
                    holder.owner().value(),
                    true,
                    ModeCode.letter(holder.mode()),
                    state.fence(),
                    holder.since(),
                    holder.until(),
                    holder.lasts(),
                    listedMs,
                    state.count(),
                    state.keptUntil());
        } else if (reservation != null) {
            return new NameColumns(
                    reservation.owner().value(),
                    false,
                    ModeCode.letter(Mode.exclusive()),
                    state.fence(),
                    0,
                    reservation.until(),
                    reservation.lasts(),
                    listedMs,
                    state.count(),
                    state.keptUntil());
        }
        return new NameColumns(
                "",
                false,
                ModeCode.letter(Mode.exclusive()),
                state.fence(),
                0,
                0,
                0,
                listedMs,
                state.count(),
                state.keptUntil());
    }

    /** The columns of a claim, but for its party. */
    private static Parameters with(Parameters parameters, String owner, Object entry) {
        Parameters columns = parameters
                .with("owner", owner)
                .with("permits", 0)
                .with("fence", 0L)
                .with("since", 0L)
                .with("arrival", 0L)
                .with("channel", "");
        if (entry instanceof Holder holder) {
            return columns.with("state", RowState.HELD)
                    .with("mode", ModeCode.letter(holder.mode()))
                    .with("permits", ModeCode.permits(holder.mode()))
                    .with("fence", holder.fence())
                    .with("since", holder.since())
                    .with("until", holder.until())
                    .with("lease", holder.lasts());
        } else if (entry instanceof Waiter waiter) {
            return columns.with("state", RowState.of(waiter))
                    .with("mode", ModeCode.letter(waiter.mode()))
                    .with("permits", ModeCode.permits(waiter.mode()))
                    .with("since", waiter.since())
                    .with("until", waiter.until())
                    .with("lease", waiter.lasts())
                    .with("arrival", waiter.arrival())
                    .with("channel", waiter.channel());
        }
        Mark mark = (Mark) entry;
        return columns.with("state", RowState.of(mark))
                .with(
                        "mode",
                        ModeCode.letter(mark.kind() == Mark.Kind.FORCED ? Mode.exclusive() : new Mode.AwaitZero()))
                .with("until", mark.until())
                .with("lease", mark.lasts());
    }

    private Parameters ofName() {
        LockId id = next.id();
        return Parameters.of(id);
    }

    private void add(SqlStatement statement, Parameters parameters) {
        statements.add(new BoundStatement(statement, parameters));
    }
}
