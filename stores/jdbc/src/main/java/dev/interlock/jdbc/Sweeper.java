package dev.interlock.jdbc;

import dev.interlock.jdbc.dialect.SqlStatement;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;

/**
 * Removes the rows that nobody released: holders that died, waiters that died, old marks of forced releases, and names
 * that nobody uses any more. It has no schedule: after the first operation of a session, and then after every
 * {@value #OPERATIONS_PER_SWEEP}th, it reads the next {@value #ROWS_PER_SWEEP} rows of each table, in a circle, and
 * deletes those that are over, {@value #ROWS_PER_REMOVAL} after each operation. So it outpaces any growth, since an
 * operation inserts at most two rows; and one sweep costs the same however large the tables are.
 */
final class Sweeper {

    /** How long the row of an unused name is kept for its fence. */
    private static final long UNUSED_MS = 60_000;

    private static final int OPERATIONS_PER_SWEEP = 256;
    private static final int ROWS_PER_SWEEP = 1024;
    private static final int ROWS_PER_REMOVAL = 32;

    private long operations;

    /** How many removals the next step does: one for each operation since the last one. */
    private int due;

    private Found claim = Found.START;
    private Found name = Found.START;

    /** The deletions that the last sweep has found, and that no step has done yet. */
    private final Queue<Removal> found = new ArrayDeque<>();

    /** Counts an operation; returns whether a step is due. */
    boolean isDueAfterOperation() {
        boolean sweepDue = operations++ % OPERATIONS_PER_SWEEP == 0;
        due += found.isEmpty() ? 0 : 1;
        return sweepDue || !found.isEmpty();
    }

    /**
     * Reads the next rows, if nothing is left of the last sweep, and deletes a few. The next operation waits for no
     * more than that: where a commit is slow, many deletions take as long as a short lease.
     */
    void step(Session session) throws SQLException {
        session.withoutWaiting(() -> {
            if (found.isEmpty()) {
                readClaims(session);
                readNames(session);
                due = 1;
            }
            for (; due > 0 && !found.isEmpty(); due--) {
                found.remove().run(session);
            }
            return true;
        });
    }

    private void readClaims(Session session) throws SQLException {
        List<Found> page = session.query(
                SqlStatement.PAGE_CLAIMS,
                window(claim),
                row -> new Found(
                        session.dialect().decodedName(row, 1),
                        row.getString(2),
                        row.getString(3),
                        0,
                        row.getInt(4) == 1));
        claim = page.size() < ROWS_PER_SWEEP ? Found.START : page.get(page.size() - 1);
        remember(SqlStatement.SWEEP_CLAIM, page);
    }

    /**
     * Keeps the largest fence of the names before the first of them is deleted. A name that has got another fence by
     * then stays.
     */
    private void readNames(Session session) throws SQLException {
        long unused = session.dialect().deletesFreeNames() ? 0 : UNUSED_MS;
        List<Found> page = session.query(
                SqlStatement.PAGE_NAMES,
                window(name).with("unused", unused),
                row -> new Found(
                        session.dialect().decodedName(row, 1),
                        row.getString(2),
                        "",
                        row.getLong(3),
                        row.getInt(4) == 1));
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
     * A few rows that are deleted in one transaction: a process that is stopped within it blocks their names. It skips
     * rows that others have locked, since waiting for them would delay the operations; they come round again.
     */
    private record Removal(SqlStatement statement, List<Parameters> rows) {

        void run(Session session) throws SQLException {
            UnlockedRows table = statement == SqlStatement.SWEEP_NAME
                    ? UnlockedRows.ofNames(session)
                    : UnlockedRows.ofClaims(session);
            if (session.dialect().skipsLockedRows()) {
                table.updateAll(statement, rows);
            } else {
                session.inTransaction(() -> table.updateAll(statement, rows));
            }
        }
    }

    /**
     * A row of a sweep; the next sweep begins after the last one. No name is empty, so the empty name is before all
     * others.
     */
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
