package dev.interlock.jdbc;

import dev.interlock.spi.Claim;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * The verb release: one statement if nobody waits, else a few, of which the last but one gives the waiter its turn; no transaction spans them, since to
 * die between them is as good as to die before. A claim that only waits, or that was given a turn it
 * does not want any more, passes it on the same way.
 */
final class Release {

    private static final Duration TURN = Duration.ofMillis(Timing.TURN_MS);

    private final Session session;
    private final Claim claim;
    private final Values values;

    Release(Session session, Claim claim) {
        this.session = session;
        this.claim = claim;
        this.values = Values.of(claim);
    }

    /** Returns whether the claim was held. */
    boolean run() throws SQLException {
        if (!claim.forced()) {
            List<Boolean> ended = session.query(Step.END_UNCONTENDED, values, row -> row.getBoolean(1));
            if (!ended.isEmpty()) {
                return ended.get(0);
            }
        }
        return endContended();
    }

    private boolean endContended() throws SQLException {
        boolean held =
                session.query(Step.STANDING, values, row -> row.getBoolean(1)).contains(true);
        if (held && claim.forced()) {
            session.execute(Step.MARK_FORCED, values.with("marked", Timing.FORCED_MS));
        }
        new Turn(session, values).endFor(TURN);
        return held;
    }
}
