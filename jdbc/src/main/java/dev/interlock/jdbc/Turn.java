package dev.interlock.jdbc;

import java.sql.SQLException;
import java.time.Duration;

/**
 * The end of a claim, and whose turn comes then. A database cannot wake the waiter whose turn it is, and whoever asks next would get the name: most often
 * the one that has just released it. So the name is kept for the longest waiter, as a reservation of {@value Timing#RESERVED_MS} ms that only that waiter can
 * turn into a hold; it asks well before that, and a dead one costs no more. The waiter is unlisted with it: it gets one reservation, not one after another,
 * unless it asks again, which puts it back in its place.
 */
final class Turn {

    private final Session session;
    private final Values values;

    /** The end of the claim with these values. */
    Turn(Session session, Values values) {
        this.session = session;
        this.values = values;
    }

    /** Ends the claim and reserves the name for the waiter that has waited longest, if it has waited for {@code patience}. Returns whether it did. */
    boolean endFor(Duration patience) throws SQLException {
        session.execute(Step.UNLIST, values);
        values.with("reserved", Timing.RESERVED_MS).with("patience", patience.toMillis());
        if (!session.query(Step.RESERVE, values, row -> row.getString("owner")).isEmpty()) {
            return true;
        }
        session.execute(Step.DROP, values);
        return false;
    }

    /** Ends the claim and leaves the name to whoever asks first. Returns false. */
    boolean end() throws SQLException {
        session.execute(Step.UNLIST, values);
        session.execute(Step.DROP, values);
        return false;
    }
}
