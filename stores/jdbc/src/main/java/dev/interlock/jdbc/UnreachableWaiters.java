package dev.interlock.jdbc;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Log;
import dev.interlock.support.rules.Decision;
import dev.interlock.support.rules.Waiter;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * Takes the waiters off the list that were woken and do not listen, and wakes others instead: most likely their
 * processes were killed. A waiter may also be alive, and have lost only its channel; then it is listed again, in its
 * old place, when it asks. So a claim that is in order, which nobody may overtake meanwhile, stays.
 */
final class UnreachableWaiters {

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
     * Repeats until a woken waiter is reachable, or none is left. A failure is not a failure of the claim, whose
     * transaction is committed.
     */
    void wakeOthers() {
        try {
            while (!session.pendingWakes().undelivered().isEmpty()) {
                Set<String> channels = session.pendingWakes().undelivered();
                session.inTransaction(() -> wakeInsteadOf(channels));
            }
        } catch (SQLException | RuntimeException e) {
            Log.of(UnreachableWaiters.class)
                    .log(System.Logger.Level.DEBUG, "No other waiter could be woken: they ask by themselves, later", e);
        }
    }

    /** Wakes nobody if nobody was taken off the list: it would be the same waiters again. */
    private boolean wakeInsteadOf(Set<String> channels) throws SQLException {
        LoadedName name = tables.lockedToRelease(claim).orElse(null);
        if (name == null) {
            return false;
        }
        List<Waiter> unreachable = name.current().waiters().stream()
                .filter(waiter ->
                        channels.contains(waiter.channel()) && !waiter.mode().inOrder())
                .toList();
        if (!unreachable.isEmpty()) {
            Decision<Boolean> decision = name.wakeInsteadOf(unreachable);
            tables.save(name, decision.state(), decision.woken(), claim);
        }
        return !unreachable.isEmpty();
    }
}
