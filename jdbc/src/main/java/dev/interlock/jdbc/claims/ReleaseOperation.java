package dev.interlock.jdbc.claims;

import dev.interlock.jdbc.dialect.SqlStatement;
import dev.interlock.jdbc.session.Parameters;
import dev.interlock.jdbc.session.Session;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import java.sql.SQLException;

/**
 * The verb release: one statement for the holder of a lock if nobody waits, else one transaction, which also calls
 * those whose turn it is. A claim that only waits, or that was called and does not want its turn any more, passes it on
 * the same way. Where somebody waited the last time the transaction comes first: who waits for that answer waits for
 * the statement before it, too.
 */
public final class ReleaseOperation {

    private final Session session;
    private final NameTables tables;
    private final Claim claim;

    public ReleaseOperation(Session session, Claim claim) {
        this.session = session;
        this.tables = new NameTables(session);
        this.claim = claim;
    }

    /** Returns whether the claim was held. */
    public boolean run() throws SQLException {
        boolean alone =
                isPlain() && !claim.forced() && !session.contendedNames().contains(claim.id());
        if (alone && session.update(SqlStatement.RELEASE, Parameters.of(claim)) == 1) {
            return true;
        }
        boolean held = session.inTransaction(this::end);
        new UnreachableWaiters(session, claim).passOn();
        return held;
    }

    private boolean end() throws SQLException {
        NameState state = tables.lockedToEnd(claim).orElse(null);
        if (state == null) {
            return false;
        }
        Rule rule = Rules.of(state);
        boolean held = rule.end(claim.owner(), claim.forced());
        if (isPlain()) {
            session.contendedNames().set(claim.id(), !state.lined().isEmpty());
        }
        rule.call(Timing.TURN_MS);
        if (state.isTouched() || !state.woken.isEmpty()) {
            tables.save(state, claim);
        }
        return held;
    }

    private boolean isPlain() {
        return claim.id().kind() == LockKind.LOCK;
    }
}
