package dev.interlock.jdbc.claims;

import dev.interlock.Party;
import dev.interlock.jdbc.dialect.SqlStatement;
import dev.interlock.jdbc.session.BoundStatement;
import dev.interlock.jdbc.session.ContentionRetry;
import dev.interlock.jdbc.session.Parameters;
import dev.interlock.jdbc.session.Session;
import dev.interlock.jdbc.wake.WakeMessage;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the {@link NameState} of a name from the tables, and writes what has changed of it. */
final class NameTables {

    /** Where the columns of a claim begin in {@link SqlStatement#LOAD}, after the time and the name. */
    private static final int CLAIM = 12;

    /**
     * What comes after them: in {@link SqlStatement#INSPECT} those that say who it is, four of the holder of a lock,
     * four of the claim; in {@link SqlStatement#ACQUIRE_OR_LOAD} the fence.
     */
    private static final int MORE = 22;

    /**
     * Each changes one row. If it is not there any more, somebody has removed it who does not know of row locks, and
     * all is done once more.
     */
    private static final Set<SqlStatement> CHANGES =
            EnumSet.of(SqlStatement.UPDATE_CLAIM, SqlStatement.UPDATE_NAME, SqlStatement.UPDATE_HOLDER);

    private final Session session;

    NameTables(Session session) {
        this.session = session;
    }

    /** What stands there now, without a lock; nothing if the name has no row. */
    Optional<NameState> peek(LockId id, String owner) throws SQLException {
        return read(SqlStatement.LOAD, id, owner);
    }

    /** As {@link #peek}, with who they are. */
    Optional<NameState> inspect(LockId id) throws SQLException {
        return read(SqlStatement.INSPECT, id, "");
    }

    /** Takes a lock that is free, if the name has a row. */
    Taken takeOrPeek(Claim claim) throws SQLException {
        Reader reader = new Reader(claim.id(), false);
        List<Long> fences = session.query(SqlStatement.ACQUIRE_OR_LOAD, Parameters.of(claim), row -> {
            reader.add(row);
            return row.getLong(MORE);
        });
        // The same in all rows.
        return new Taken(fences.isEmpty() ? 0 : fences.get(0), Optional.ofNullable(reader.state));
    }

    /**
     * What became of a try.
     *
     * @param fence the fence of the grant; 0 if there is none
     * @param before what stood there before; nothing if the name has no row
     */
    record Taken(long fence, Optional<NameState> before) {}

    /** Within a transaction: what stands there, and nobody changes it before the transaction ends. */
    NameState locked(Claim claim) throws SQLException {
        Optional<NameState> found = locked(SqlStatement.LOCK_NAME, claim);
        if (found.isPresent()) {
            return found.get();
        }
        session.update(SqlStatement.INSERT_NAME, Parameters.of(claim));
        return locked(SqlStatement.LOCK_NAME, claim).orElseThrow(ContentionRetry::vanished);
    }

    /** As {@link #locked(Claim)}, to end a claim: a name that has no row gets none. */
    Optional<NameState> lockedToEnd(Claim claim) throws SQLException {
        return locked(SqlStatement.LOCK_TO_RELEASE, claim);
    }

    private Optional<NameState> locked(SqlStatement step, Claim claim) throws SQLException {
        if (!session.dialect().locksRows()) {
            return peek(claim.id(), claim.owner().value());
        }
        Parameters values = Parameters.of(claim);
        Reader reader = new Reader(claim.id(), false);
        int[] found = session.runAll(
                List.of(new BoundStatement(step, values), new BoundStatement(SqlStatement.LOAD, values, reader::add)));
        // A row that came between the two is not ours.
        return found[0] == 1 ? Optional.ofNullable(reader.state) : Optional.empty();
    }

    // ---- reading

    private Optional<NameState> read(SqlStatement step, LockId id, String owner) throws SQLException {
        Parameters values = Parameters.of(id).with("owner", owner);
        Reader reader = new Reader(id, step == SqlStatement.INSPECT);
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
                holder.party = party(row, MORE);
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
            claim.party = party(row, MORE + 4);
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

    /** Writes what this claim has changed. If its own turn has come, it is told by the answer. */
    void save(NameState state, Claim claim) throws SQLException {
        state.woken.removeIf(row -> row.owner.equals(claim.owner().value()));
        saveAndTellAll(state, claim);
    }

    /** As {@link #save}, for a claim that has its answer already. */
    void saveAndTellAll(NameState state, Claim claim) throws SQLException {
        List<BoundStatement> writes = new ArrayList<>();
        claims(state, claim, writes);
        name(state, claim, writes);
        wakes(state, writes);
        int[] counts = session.runAll(writes);
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] != 1 && CHANGES.contains(writes.get(i).statement())) {
                throw ContentionRetry.vanished();
            }
        }
    }

    private static void claims(NameState state, Claim claim, List<BoundStatement> writes) {
        for (ClaimRow row : state.gone) {
            if (row.stored) {
                writes.add(new BoundStatement(
                        SqlStatement.DELETE_CLAIM, Parameters.of(state.id).with("owner", row.owner)));
            }
        }
        if (state.forgetCounted) {
            writes.add(new BoundStatement(SqlStatement.DELETE_COUNTED, Parameters.of(state.id)));
        }
        for (ClaimRow row : state.claims) {
            if (row.changed && !row.stored) {
                writes.add(new BoundStatement(SqlStatement.INSERT_CLAIM, with(Parameters.of(claim), row)));
            } else if (row.changed) {
                writes.add(new BoundStatement(SqlStatement.UPDATE_CLAIM, with(Parameters.of(state.id), row)));
            }
        }
    }

    private void name(NameState state, Claim claim, List<BoundStatement> writes) {
        NameColumns columns = state.columns();
        if (state.isEmpty() && session.dialect().deletesFreeNames()) {
            writes.add(new BoundStatement(SqlStatement.DELETE_NAME, Parameters.of(state.id)));
        } else if (state.holderIsNew) {
            writes.add(new BoundStatement(SqlStatement.UPDATE_HOLDER, with(Parameters.of(claim), columns)));
        } else if (!columns.equals(state.stored)) {
            writes.add(new BoundStatement(SqlStatement.UPDATE_NAME, with(Parameters.of(state.id), columns)));
        }
    }

    private void wakes(NameState state, List<BoundStatement> writes) {
        for (ClaimRow row : state.woken) {
            String wake = WakeMessage.of(state.id, row.owner);
            if (session.dialect().notifiesOnCommit()) {
                writes.add(new BoundStatement(
                        SqlStatement.NOTIFY,
                        new Parameters().with("channel", row.channel).with("payload", wake)));
            } else {
                session.pendingWakes().add(row.channel, wake, !row.mode.inOrder());
            }
        }
    }

    /** The columns of a claim, but for the party. */
    private static Parameters with(Parameters parameters, ClaimRow row) {
        return parameters
                .with("owner", row.owner)
                .with("state", row.standing.code())
                .with("mode", ModeCode.letter(row.mode))
                .with("permits", ModeCode.permits(row.mode))
                .with("fence", row.fence)
                .with("since", row.sinceMs)
                .with("until", row.untilMs)
                .with("lease", row.leaseMs)
                .with("arrival", row.arrival)
                .with("channel", row.channel);
    }

    /** The columns of a name, but for the party of its holder. */
    private static Parameters with(Parameters parameters, NameColumns columns) {
        return parameters
                .with("owner", columns.owner())
                .with("held", columns.held() ? 1 : 0)
                .with("mode", columns.mode())
                .with("fence", columns.fence())
                .with("since", columns.sinceMs())
                .with("until", columns.untilMs())
                .with("lease", columns.leaseMs())
                .with("listed", columns.listedMs())
                .with("amount", columns.amount())
                .with("kept", columns.keptMs());
    }
}
