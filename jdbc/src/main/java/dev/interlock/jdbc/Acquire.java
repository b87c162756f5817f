package dev.interlock.jdbc;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.OwnerId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The verb acquire.
 *
 * <pre>
 *   first ask    TAKE ----------------------------------------> granted
 *                  '--- LOOK, and LIST if it waits -----------> busy
 *   ask again    LOOK, still busy ----------------------------> busy, without a write
 *                  '--- free: as the first ask
 *   replacing    end the earlier claim; a waiter gets the turn --> busy
 *                  '--- nobody waits: as the first ask
 * </pre>
 *
 * Each step is one statement, and no transaction spans two: a process that is stopped between them keeps nobody from writing. Reads decide nothing: TAKE
 * looks again, in the statement that writes.
 */
final class Acquire {

    private final Session session;
    private final Claim claim;
    private final Values values;

    Acquire(Session session, Claim claim) {
        this.session = session;
        this.claim = claim;
        this.values = Values.of(claim);
    }

    Attempt run() throws SQLException {
        OwnerId earlier = claim.replaces();
        if (earlier != null) {
            return replace(earlier);
        }
        return hasWaited() ? askAgain() : ask();
    }

    private Attempt ask() throws SQLException {
        Optional<Attempt> granted = take();
        return granted.isPresent() ? granted.get() : busy(look());
    }

    private Attempt askAgain() throws SQLException {
        Optional<Look> look = look();
        if (look.isPresent()) {
            return busy(look);
        }
        return ask();
    }

    private Attempt replace(OwnerId earlier) throws SQLException {
        Values replaced = Values.of(claim).with("owner", earlier.value());
        // A claim that does not wait cannot line up behind anybody: it gives nobody a turn.
        boolean turnGiven = claim.waited() != null
                ? new Turn(session, replaced).endFor(Duration.ZERO)
                : new Turn(session, replaced).end();
        if (turnGiven) {
            // However long it has waited: it lines up behind those who wait now.
            values.with("waited", 0L);
            return busy(look());
        }
        return ask();
    }

    private Optional<Attempt> take() throws SQLException {
        List<Attempt> granted = session.query(Step.TAKE, values, row -> Attempt.granted(row.getLong("fence")));
        return granted.stream().findFirst();
    }

    private Optional<Look> look() throws SQLException {
        return session.query(Step.LOOK, values, Look::read).stream().findFirst();
    }

    private Attempt busy(Optional<Look> found) throws SQLException {
        if (found.isEmpty()) {
            // Freed since TAKE: ask again at once.
            return Attempt.busy(Duration.ZERO);
        }
        Look look = found.get();
        if (claim.waited() != null && look.needsListing()) {
            session.execute(Step.LIST, values);
        }
        if (look.isBeyondLease()) {
            session.execute(Step.CUT, values);
        }
        return Attempt.busy(Polling.retryAfter(look, ThreadLocalRandom.current().nextDouble()));
    }

    private boolean hasWaited() {
        Duration waited = claim.waited();
        return waited != null && !waited.isZero();
    }
}
