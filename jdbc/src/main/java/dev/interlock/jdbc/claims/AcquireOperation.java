package dev.interlock.jdbc.claims;

import dev.interlock.jdbc.dialect.SqlStatement;
import dev.interlock.jdbc.session.Parameters;
import dev.interlock.jdbc.session.Session;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The verb acquire.
 *
 * <pre>
 *   a lock, not in order    TAKE, one statement -------------------> granted
 *                             '--- busy: as the others
 *   one that polls again    LOAD, without a lock; the rule --------> busy, without a write
 *                             '--- it can be granted, or listed: as the others
 *   a lock, on PostgreSQL   TAKE_OR_LOAD, one statement -----------> granted, or busy, without a write
 *   all others              one transaction: LOCK, LOAD, the rule, the changes
 * </pre>
 *
 * Reads without a lock decide nothing but to wait on: what they would grant is looked at again by what writes.
 */
public final class AcquireOperation {

    private final Session session;
    private final NameTables tables;
    private final Claim claim;

    public AcquireOperation(Session session, Claim claim) {
        this.session = session;
        this.tables = new NameTables(session);
        this.claim = claim;
    }

    public Attempt run() throws SQLException {
        if (claim.replaces() != null) {
            return decide();
        }
        Optional<Attempt> answer = hasWaited() ? pollAgain() : take();
        return answer.isPresent() ? answer.get() : decide();
    }

    private Optional<Attempt> take() throws SQLException {
        if (!isPlain() || !session.dialect().canAcquireAtOnce()) {
            return Optional.empty();
        }
        List<Attempt> granted =
                session.query(takingStep(), Parameters.of(claim), row -> Attempt.granted(row.getLong("fence")));
        if (granted.isEmpty() && claim.waited() == null) {
            return look();
        }
        return granted.stream().findFirst();
    }

    private SqlStatement takingStep() {
        if (!session.dialect().canAcquireExisting()) {
            return SqlStatement.ACQUIRE;
        }
        return session.knownNames().add(claim.id()) ? SqlStatement.ACQUIRE_EXISTING : SqlStatement.ACQUIRE;
    }

    /** One that is listed and still has to wait costs a read, whether it polls or has been woken in vain. */
    private Optional<Attempt> pollAgain() throws SQLException {
        if (isPlain() && session.dialect().canAcquireExisting()) {
            return takeOrLook();
        }
        NameState state = tables.peek(claim.id(), claim.owner().value()).orElse(null);
        if (state != null && decide(state) instanceof Attempt.Busy busy) {
            return unlessTouched(state, busy);
        }
        return take();
    }

    private Optional<Attempt> takeOrLook() throws SQLException {
        NameTables.Taken taken = tables.takeOrPeek(claim);
        return taken.fence() > 0
                ? Optional.of(Attempt.granted(taken.fence()))
                : taken.before().flatMap(this::busy);
    }

    private Optional<Attempt> look() throws SQLException {
        return tables.peek(claim.id(), claim.owner().value()).flatMap(this::busy);
    }

    /** Busy, if the tables say so and there is nothing to write. */
    private Optional<Attempt> busy(NameState state) {
        return decide(state) instanceof Attempt.Busy busy ? unlessTouched(state, busy) : Optional.empty();
    }

    private static Optional<Attempt> unlessTouched(NameState state, Attempt.Busy busy) {
        return state.isTouched() ? Optional.empty() : Optional.of(busy);
    }

    private boolean isPlain() {
        return claim.id().kind() == LockKind.LOCK && !claim.mode().inOrder();
    }

    private Attempt decide() throws SQLException {
        Attempt attempt = session.inTransaction(() -> {
            NameState state = tables.locked(claim);
            Attempt decided = decide(state);
            tables.save(state, claim);
            return decided;
        });
        new UnreachableWaiters(session, claim).passOn();
        return attempt;
    }

    private Attempt decide(NameState state) {
        Rule rule = Rules.of(state);
        OwnerId earlier = claim.replaces();
        // A claim in order lines up by its own rule.
        if (earlier != null
                && rule.end(earlier, false)
                && claim.waited() != null
                && !claim.mode().inOrder()
                && rule.call(0)) {
            // However long it has waited: it lines up behind those who wait now.
            return busy(state, claim.waiting(Duration.ZERO));
        }
        OptionalLong fence = rule.grant(claim);
        Attempt attempt = fence.isPresent() ? Attempt.granted(fence.getAsLong()) : busy(state, claim);
        if (claim.id().kind() != LockKind.LOCK || (claim.mode().inOrder() && fence.isEmpty())) {
            // It may have made room for others, or have found room that the one whose turn it is has not come for.
            rule.call(0);
        }
        return attempt;
    }

    private Attempt busy(NameState state, Claim asking) {
        if (asking.waited() != null) {
            session.listen();
            new Listing(state, asking, session.channel()).keep();
        }
        Patience patience = new Patience(state, asking);
        boolean polls = asking.waited() != null && !session.isListening();
        return Attempt.busy(polls ? patience.untilNextPoll() : patience.untilFree());
    }

    private boolean hasWaited() {
        Duration waited = claim.waited();
        return waited != null && !waited.isZero();
    }
}
