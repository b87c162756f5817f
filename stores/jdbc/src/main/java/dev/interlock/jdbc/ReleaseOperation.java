package dev.interlock.jdbc;

import dev.interlock.jdbc.dialect.SqlStatement;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.support.rules.Decision;
import dev.interlock.support.rules.Waiter;
import java.sql.SQLException;

/**
 * Releases a claim: in one statement, if it holds a lock and nobody waits; else in one transaction, which also wakes
 * the next waiters. A claim that only waits, or that does not want a lock that is reserved for it, is released in the
 * same way. If somebody waited for the name last time, the transaction comes first: the statement would fail, and delay
 * the answer.
 *
 * <p>A claim that is left to lapse stays in the tables under another owner. That must not be forgotten in a crash, as a
 * release may be.
 */
final class ReleaseOperation {

    private final Session session;
    private final NameTables tables;
    private final Claim claim;

    /** Releases this claim. */
    ReleaseOperation(Session session, Claim claim) {
        this.session = session;
        this.tables = new NameTables(session);
        this.claim = claim;
    }

    /** Runs the operation; returns whether the claim was held. */
    boolean run() throws SQLException {
        boolean isAlone = isPlain()
                && !claim.forced()
                && !claim.lapses()
                && !session.contendedNames().contains(claim.id());
        if (isAlone && session.update(SqlStatement.RELEASE, Parameters.of(claim)) == 1) {
            return true;
        }
        return session.inTransaction(this::release, new UnreachableWaiters(session, claim)::wakeOthers);
    }

    private boolean release() throws SQLException {
        LoadedName name = (claim.lapses() ? tables.lockedToChange(claim) : tables.lockedToRelease(claim)).orElse(null);
        if (name == null) {
            return false;
        }
        Decision<Boolean> decision = name.release(claim);
        if (isPlain()) {
            session.contendedNames().set(claim.id(), !decision.state().waiters().isEmpty());
        }
        boolean wakes = !decision.woken().stream().allMatch(Waiter::polls);
        if (wakes || name.needsWrite(decision.state())) {
            tables.save(name, decision.state(), decision.woken(), claim);
        }
        return decision.answer();
    }

    private boolean isPlain() {
        return claim.id().kind() == LockKind.LOCK;
    }
}
