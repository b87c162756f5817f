package dev.interlock.jdbc.session;

import dev.interlock.jdbc.dialect.SqlStatement;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;

/**
 * Removes the rows that nobody released: holders that died, waiters that died, old marks of force, names that nobody
 * uses any more. Without any schedule: after the first verb of a session and then after every
 * {@value #VERBS_PER_SWEEP}th, it looks at the next {@value #ROWS_PER_SWEEP} rows of each table, round and round, and
 * removes those that are over, {@value #ROWS_PER_REMOVAL} after each verb. So it outpaces any growth, since a verb
 * makes at most two rows, and one sweep costs the same however large the tables are.
 */
final class Sweeper {

    /** How long a name that nobody uses is kept for its fence. */
    private static final long UNUSED_MS = 60_000;

    private static final int VERBS_PER_SWEEP = 256;
    private static final int ROWS_PER_SWEEP = 1024;
    private static final int ROWS_PER_REMOVAL = 32;

    private long verbs;
    private Found claim = Found.START;
    private Found name = Found.START;

    /** What the last look has found, and no step has removed yet. */
    private final Queue<Removal> found = new ArrayDeque<>();

    /** Counts a verb; whether it is time for a step. */
    boolean isDueAfterVerb() {
        boolean lookDue = verbs++ % VERBS_PER_SWEEP == 0;
        return lookDue || !found.isEmpty();
    }

    /**
     * Looks at the next rows, if nothing is left of the last look, and removes a few. The next verb waits for no more
     * than that: where a commit is slow, many of them take as long as a short lease.
     */
    void step(Session session) throws SQLException {
        session.withoutWaiting(() -> {
            if (found.isEmpty()) {
                lookAtClaims(session);
                lookAtNames(session);
            }
            Removal next = found.poll();
            if (next != null) {
                next.run(session);
            }
            return true;
        });
    }

    private void lookAtClaims(Session session) throws SQLException {
        List<Found> page = session.query(
                SqlStatement.PAGE_CLAIMS,
                window(claim),
                row -> new Found(
                        session.dialect().name(row, 1), row.getString(2), row.getString(3), 0, row.getInt(4) == 1));
        claim = page.size() < ROWS_PER_SWEEP ? Found.START : page.get(page.size() - 1);
        remember(SqlStatement.SWEEP_CLAIM, page);
    }

    /** The fence of those that will go is kept before the first of them goes. One that has another by then stays. */
    private void lookAtNames(Session session) throws SQLException {
        long unused = session.dialect().forgetsNames() ? 0 : UNUSED_MS;
        List<Found> page = session.query(
                SqlStatement.PAGE_NAMES,
                window(name).with("unused", unused),
                row -> new Found(
                        session.dialect().name(row, 1), row.getString(2), "", row.getLong(3), row.getInt(4) == 1));
        name = page.size() < ROWS_PER_SWEEP ? Found.START : page.get(page.size() - 1);
        OptionalLong fence =
                page.stream().filter(Found::isOver).mapToLong(Found::fence).max();
        if (fence.isPresent()) {
            session.update(SqlStatement.RAISE_FENCE, new Parameters().with("fence", fence.getAsLong()));
            remember(SqlStatement.SWEEP_NAME, page);
        }
    }

    private void remember(SqlStatement removal, List<Found> page) {
        List<Parameters> over =
                page.stream().filter(Found::isOver).map(Found::values).toList();
        for (int from = 0; from < over.size(); from += ROWS_PER_REMOVAL) {
            found.add(new Removal(removal, over.subList(from, Math.min(over.size(), from + ROWS_PER_REMOVAL))));
        }
    }

    private static Parameters window(Found after) {
        return after.values().with("window", ROWS_PER_SWEEP);
    }

    /**
     * A few rows that go in one transaction: a process that is stopped within it keeps their names from everybody. A
     * row that is in another's hands is not waited for, which would keep the verbs waiting, too: it comes round again.
     */
    private record Removal(SqlStatement step, List<Parameters> rows) {

        void run(Session session) throws SQLException {
            UnlockedRows table =
                    step == SqlStatement.SWEEP_NAME ? UnlockedRows.ofNames(session) : UnlockedRows.ofClaims(session);
            if (session.dialect().passesByLocks()) {
                table.updateAll(step, rows);
            } else {
                session.inTransaction(() -> table.updateAll(step, rows));
            }
        }
    }

    /** A row of a sweep; of the last one the next begins. No name is empty, so the empty one is before all. */
    private record Found(String name, String kind, String owner, long fence, boolean isOver) {
        static final Found START = new Found("", "", "", 0, false);

        Parameters values() {
            return new Parameters()
                    .withName("name", name)
                    .with("kind", kind)
                    .with("owner", owner)
                    .with("fence", fence);
        }
    }
}
