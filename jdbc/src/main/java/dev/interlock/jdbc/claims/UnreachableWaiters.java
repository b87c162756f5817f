package dev.interlock.jdbc.claims;

import dev.interlock.jdbc.session.Session;
import dev.interlock.spi.Claim;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * Passes a turn on that was given to a waiter who is not there to hear of it, to the next one: most likely its process
 * was killed. It may live and have lost only where it listened; then it is listed again, in its old place, when it
 * asks. So a claim that is in order, which nobody may overtake meanwhile, keeps its turn.
 */
final class UnreachableWaiters {

    private static final System.Logger LOG = System.getLogger(UnreachableWaiters.class.getName());

    private final Session session;
    private final NameTables tables;
    private final Claim claim;

    /** After a transaction for this claim. */
    UnreachableWaiters(Session session, Claim claim) {
        this.session = session;
        this.tables = new NameTables(session);
        this.claim = claim;
    }

    /**
     * Until one has heard of it, or nobody waits. What has been done for the claim stays done, so nothing that fails
     * here is a failure of that.
     */
    void passOn() {
        try {
            while (!session.pendingWakes().undelivered().isEmpty()) {
                Set<String> absent = session.pendingWakes().undelivered();
                session.inTransaction(() -> passOn(absent));
            }
        } catch (SQLException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "A turn could not be passed on: the others ask by themselves, later", e);
        }
    }

    /**
     * PendingWakes nobody if nobody was taken off the list: it would be the same again. Returns whether anybody was.
     */
    private boolean passOn(Set<String> absent) throws SQLException {
        NameState state = tables.lockedToEnd(claim).orElse(null);
        if (state == null) {
            return false;
        }
        Rule rule = Rules.of(state);
        List<ClaimRow> passed = state.lined().stream()
                .filter(row -> absent.contains(row.channel) && !row.mode.inOrder())
                .toList();
        if (!passed.isEmpty()) {
            passed.forEach(state::remove);
            rule.call(Timing.TURN_MS);
            tables.saveAndTellAll(state, claim);
        }
        return !passed.isEmpty();
    }
}
