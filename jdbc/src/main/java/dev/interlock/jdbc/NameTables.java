package dev.interlock.jdbc;

import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the {@link NameState} of a name from the tables, and writes what has changed of it. */
final class NameTables {

    /** Where the columns of a claim begin in {@link Step#LOAD}, after the time and the name. */
    private static final int CLAIM = 12;

    /** Where those that say who it is begin in {@link Step#INSPECT}: four of the holder of a lock, four of the claim. */
    private static final int PARTIES = 22;

    private final Session session;

    NameTables(Session session) {
        this.session = session;
    }

    /** What stands there now, without a lock; nothing if the name has no row. */
    Optional<NameState> peek(LockId id, String owner) throws SQLException {
        return read(Step.LOAD, id, owner);
    }

    /** As {@link #peek}, with who they are. */
    Optional<NameState> inspect(LockId id) throws SQLException {
        return read(Step.INSPECT, id, "");
    }

    /** Within a transaction: what stands there, and nobody changes it before the transaction ends. */
    NameState locked(Claim claim) throws SQLException {
        Values values = Values.of(claim);
        Optional<NameState> found = isLocked(Step.LOCK, values) ? mine(claim) : Optional.empty();
        if (found.isPresent()) {
            return found.get();
        }
        session.execute(Step.ENSURE, values);
        if (!isLocked(Step.LOCK, values)) {
            throw Contention.vanished();
        }
        return mine(claim).orElseThrow(Contention::vanished);
    }

    /** As {@link #locked}, to end a claim: a name that has no row gets none. */
    Optional<NameState> lockedToEnd(Claim claim) throws SQLException {
        return isLocked(Step.LOCK_TO_END, Values.of(claim)) ? mine(claim) : Optional.empty();
    }

    private boolean isLocked(Step step, Values values) throws SQLException {
        return !session.dialect().locksRows()
                || !session.query(step, values, row -> true).isEmpty();
    }

    private Optional<NameState> mine(Claim claim) throws SQLException {
        return peek(claim.id(), claim.owner().value());
    }

    // ---- reading

    private Optional<NameState> read(Step step, LockId id, String owner) throws SQLException {
        Values values = Values.of(id).with("owner", owner);
        Reader reader = new Reader(id, step == Step.INSPECT);
        session.query(step, values, reader::add);
        return Optional.ofNullable(reader.state);
    }

    private static final class Reader {
        private final LockId id;
        private final boolean withParties;
        private @Nullable NameState state;

        Reader(LockId id, boolean withParties) {
            this.id = id;
            this.withParties = withParties;
        }

        boolean add(ResultSet row) throws SQLException {
            NameState name = state;
            if (name == null) {
                name = name(row);
                state = name;
            }
            String owner = row.getString(CLAIM);
            if (owner != null) {
                name.claims.add(claim(row, owner, name.amount));
            }
            return true;
        }

        private NameState name(ResultSet row) throws SQLException {
            NameColumns columns = new NameColumns(
                    row.getString(2),
                    row.getInt(3) != 0,
                    row.getString(4),
                    row.getLong(5),
                    row.getLong(6),
                    row.getLong(7),
                    row.getLong(8),
                    row.getLong(9),
                    row.getInt(10),
                    row.getLong(11));
            NameState name = new NameState(id, row.getLong(1), columns);
            if (columns.untilMs() > 0) {
                ClaimRow holder = new ClaimRow(
                        columns.owner(),
                        columns.held() ? Standing.HELD : Standing.RESERVED,
                        ModeCode.of(columns.mode(), 0, 0));
                holder.fence = columns.fence();
                holder.sinceMs = columns.sinceMs();
                holder.untilMs = columns.untilMs();
                holder.leaseMs = columns.leaseMs();
                holder.party = party(row, PARTIES);
                name.holder = holder;
            }
            return name;
        }

        private ClaimRow claim(ResultSet row, String owner, int capacity) throws SQLException {
            ClaimRow claim = new ClaimRow(
                    owner,
                    Standing.of(row.getString(CLAIM + 1)),
                    ModeCode.of(row.getString(CLAIM + 2), row.getInt(CLAIM + 3), capacity));
            claim.fence = row.getLong(CLAIM + 4);
            claim.sinceMs = row.getLong(CLAIM + 5);
            claim.untilMs = row.getLong(CLAIM + 6);
            claim.leaseMs = row.getLong(CLAIM + 7);
            claim.arrival = row.getLong(CLAIM + 8);
            claim.channel = row.getString(CLAIM + 9);
            claim.party = party(row, PARTIES + 4);
            claim.stored = true;
            return claim;
        }

        private Party party(ResultSet row, int from) throws SQLException {
            return withParties
                    ? new Party(
                            row.getString(from),
                            row.getLong(from + 1),
                            row.getString(from + 2),
                            row.getString(from + 3))
                    : Party.UNKNOWN;
        }
    }

    // ---- writing

    /** Writes what this claim has changed. */
    void save(NameState state, Claim claim) throws SQLException {
        for (ClaimRow row : state.gone) {
            if (row.stored) {
                session.execute(Step.DROP_CLAIM, Values.of(state.id).with("owner", row.owner));
            }
        }
        if (state.forgetCounted) {
            session.execute(Step.FORGET_COUNTED, Values.of(state.id));
        }
        for (ClaimRow row : state.claims) {
            if (row.changed && !row.stored) {
                session.execute(Step.ADD_CLAIM, Values.of(claim).with(row));
            } else if (row.changed) {
                changeOne(Step.SAVE_CLAIM, Values.of(state.id).with(row));
            }
        }
        saveName(state, claim);
        wake(state, claim);
    }

    private void saveName(NameState state, Claim claim) throws SQLException {
        NameColumns columns = state.columns();
        if (state.isEmpty() && session.dialect().forgetsNames()) {
            session.execute(Step.FORGET_NAME, Values.of(state.id));
        } else if (state.holderIsNew) {
            changeOne(Step.SAVE_HOLDER, Values.of(claim).with(columns));
        } else if (!columns.equals(state.stored)) {
            changeOne(Step.SAVE_NAME, Values.of(state.id).with(columns));
        }
    }

    /** The one whose claim this is knows already. */
    private void wake(NameState state, Claim claim) throws SQLException {
        List<ClaimRow> others = state.woken.stream()
                .filter(row -> !Objects.equals(row.owner, claim.owner().value()))
                .toList();
        for (ClaimRow row : others) {
            String payload = WakeText.of(state.id, row.owner);
            session.query(Step.WAKE, new Values().with("channel", row.channel).with("payload", payload), sent -> true);
        }
    }

    /** Changes one row; if it is not there any more, somebody has removed it who does not know of row locks, and all is done once more. */
    private void changeOne(Step step, Values values) throws SQLException {
        if (session.update(step, values) != 1) {
            throw Contention.vanished();
        }
    }
}
