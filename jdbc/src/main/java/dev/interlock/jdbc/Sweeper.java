package dev.interlock.jdbc;

import java.sql.SQLException;
import java.util.List;

/**
 * Removes the rows that nobody released: holders that died, waiters that died, old marks of force, names that nobody uses any more. Without any schedule: after the
 * first verb of a session and then after every {@value #VERBS_PER_SWEEP}th, it looks at the next {@value #ROWS_PER_SWEEP} rows of each table, round and round. So it
 * outpaces any growth, since a verb makes at most two rows, and one sweep costs the same however large the tables are.
 */
final class Sweeper {

    private static final int VERBS_PER_SWEEP = 256;
    private static final int ROWS_PER_SWEEP = 1024;
    private static final int ROWS_PER_TRANSACTION = 32;

    private long verbs;
    private Found claim = Found.START;
    private Found name = Found.START;

    /** Counts a verb; whether it is time for a step. */
    boolean isDueAfterVerb() {
        return verbs++ % VERBS_PER_SWEEP == 0;
    }

    /** Looks at the next rows. */
    void step(Session session) throws SQLException {
        session.withoutWaiting(() -> {
            sweepClaims(session);
            sweepNames(session);
            return true;
        });
    }

    private void sweepClaims(Session session) throws SQLException {
        List<Found> page = session.query(
                Step.PAGE_CLAIMS,
                window(claim),
                row -> new Found(
                        session.dialect().name(row, 1), row.getString(2), row.getString(3), 0, row.getInt(4) == 1));
        claim = page.size() < ROWS_PER_SWEEP ? Found.START : page.get(page.size() - 1);
        remove(
                session,
                Step.SWEEP_CLAIM,
                UnlockedRows.ofClaims(session),
                page.stream().filter(Found::isOver).map(Found::values).toList());
    }

    /** First the fence of those that go, then they. */
    private void sweepNames(Session session) throws SQLException {
        long unused = session.dialect().forgetsNames() ? 0 : Timing.UNUSED_MS;
        List<Found> page = session.query(
                Step.PAGE_NAMES,
                window(name).with("unused", unused),
                row -> new Found(
                        session.dialect().name(row, 1), row.getString(2), "", row.getLong(3), row.getInt(4) == 1));
        name = page.size() < ROWS_PER_SWEEP ? Found.START : page.get(page.size() - 1);
        List<Found> over = page.stream().filter(Found::isOver).toList();
        if (!over.isEmpty()) {
            long fence = over.stream().mapToLong(Found::fence).max().orElse(0);
            session.update(Step.RAISE_FENCE, new Values().with("fence", fence));
            remove(
                    session,
                    Step.SWEEP_NAME,
                    UnlockedRows.ofNames(session),
                    over.stream().map(Found::values).toList());
        }
    }

    /**
     * A row that is in another's hands is not waited for, which would keep the verbs waiting, too: it comes round again. A few in each transaction: a process that is stopped within one
     * keeps their names from everybody.
     */
    private static void remove(Session session, Step removal, UnlockedRows rows, List<Values> over)
            throws SQLException {
        for (int from = 0; from < over.size(); from += ROWS_PER_TRANSACTION) {
            List<Values> some = over.subList(from, Math.min(over.size(), from + ROWS_PER_TRANSACTION));
            if (session.dialect().passesByLocks()) {
                rows.updateAll(removal, some);
            } else {
                session.inTransaction(() -> rows.updateAll(removal, some));
            }
        }
    }

    private static Values window(Found after) {
        return after.values().with("window", ROWS_PER_SWEEP);
    }

    /** A row of a sweep; of the last one the next begins. No name is empty, so the empty one is before all. */
    private record Found(String name, String kind, String owner, long fence, boolean isOver) {
        static final Found START = new Found("", "", "", 0, false);

        Values values() {
            return new Values()
                    .withName("name", name)
                    .with("kind", kind)
                    .with("owner", owner)
                    .with("fence", fence);
        }
    }
}
