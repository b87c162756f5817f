package dev.interlock.jdbc;

import java.sql.SQLException;
import java.util.List;

/**
 * Removes the rows that nobody released: holders that died, waiters that died, old marks of force. Without any schedule: after the first verb of a session
 * and then after every {@value #VERBS_PER_SWEEP}th, it looks at the next {@value #ROWS_PER_SWEEP} rows of each table, round and round. So it outpaces
 * any growth, since a verb makes at most two rows, and one sweep costs the same however large the tables are.
 */
final class Sweeper {

    private static final int VERBS_PER_SWEEP = 64;
    private static final int ROWS_PER_SWEEP = 256;

    private long verbs;
    private Held held = Held.START;
    private long waiting;

    /** To be called after each verb. */
    void step(Session session) throws SQLException {
        if (verbs++ % VERBS_PER_SWEEP == 0) {
            session.withoutWaiting(() -> {
                sweepHeld(session);
                sweepWaiting(session);
                session.execute(Step.SWEEP_FORCED, new Values());
                return true;
            });
        }
    }

    private void sweepHeld(Session session) throws SQLException {
        Values values = window().with("after_name", held.name).with("after_kind", held.kind);
        List<Held> next = session.query(Step.NEXT_HELD, values, row -> new Held(row.getString(1), row.getString(2)));
        session.execute(Step.SWEEP_HELD, values);
        held = next.isEmpty() ? Held.START : next.get(0);
    }

    private void sweepWaiting(Session session) throws SQLException {
        Values values = window().with("after_seq", waiting);
        List<Long> next = session.query(Step.NEXT_WAITING, values, row -> row.getLong(1));
        session.execute(Step.SWEEP_WAITING, values);
        waiting = next.isEmpty() ? 0 : next.get(0);
    }

    private static Values window() {
        return new Values().with("window", ROWS_PER_SWEEP).with("skip", ROWS_PER_SWEEP - 1);
    }

    /** The last row of a sweep. No name is empty, so the empty one is before all. */
    private record Held(String name, String kind) {
        static final Held START = new Held("", "");
    }
}
