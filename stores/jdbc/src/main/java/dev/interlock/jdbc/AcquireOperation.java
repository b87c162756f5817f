package dev.interlock.jdbc;

import dev.interlock.jdbc.dialect.SqlStatement;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.support.rules.Decision;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Acquires a claim.
 *
 * <pre>
 *   a lock, not in order    ACQUIRE, one statement ------------------> granted
 *                             '--- busy: as all others
 *   a poll, or a try        LOAD, without a row lock; the rules -----> busy, nothing written
 *     of a busy name          '--- it may be granted, or has to be listed: as all others
 *   a lock, on PostgreSQL   ACQUIRE_OR_LOAD, one statement ----------> granted, or busy, nothing written
 *   all others              one transaction: LOCK_NAME, LOAD, the rules, the changes
 * </pre>
 *
 * A read without a row lock can only decide to wait on. What it would grant is decided again by the statement or the
 * transaction that writes.
 *
 * <p>A name counts as busy if this client's last claim did not get it at once. That only chooses the way with the
 * fewest round trips: each way is right for every name.
 */
final class AcquireOperation {

    private final Session session;
    private final NameTables tables;
    private final Claim claim;

    /** Acquires this claim. */
    AcquireOperation(Session session, Claim claim) {
        this.session = session;
        this.tables = new NameTables(session);
        this.claim = claim;
    }

    /** Runs the operation. */
    Attempt run() throws SQLException {
        Optional<Attempt> answer = decideAtOnce();
        Attempt attempt = answer.isPresent() ? answer.get() : decideLocked();
        boolean isBusy = attempt instanceof Attempt.Busy || hasWaited();
        session.busyNames().set(claim.id(), isBusy && session.dialect().locksRows());
        return attempt;
    }

    private Optional<Attempt> decideAtOnce() throws SQLException {
        boolean isTry = claim.waited() == null;
        boolean wasBusy = session.busyNames().contains(claim.id());
        if (claim.replaces() != null) {
            return Optional.empty();
        } else if (hasWaited() || (isTry && wasBusy)) {
            return poll();
        }
        // To get in line takes the transaction anyway.
        return wasBusy ? Optional.empty() : acquireAtOnce();
    }

    private Optional<Attempt> acquireAtOnce() throws SQLException {
        if (!isPlain() || !session.dialect().canAcquireAtOnce()) {
            return Optional.empty();
        }
        List<Attempt> granted =
                session.query(acquiringStatement(), Parameters.of(claim), row -> Attempt.granted(row.getLong(1)));
        if (granted.isEmpty() && claim.waited() == null) {
            return tables.peek(claim).flatMap(this::busy);
        }
        return granted.stream().findFirst();
    }

    private SqlStatement acquiringStatement() {
        if (!session.dialect().canAcquireExisting()) {
            return SqlStatement.ACQUIRE;
        }
        return session.knownNames().add(claim.id()) ? SqlStatement.ACQUIRE_EXISTING : SqlStatement.ACQUIRE;
    }

    /** A claim that still has to wait costs one read, whether it polls, was woken in vain, or only tries. */
    private Optional<Attempt> poll() throws SQLException {
        if (isPlain() && session.dialect().canAcquireExisting()) {
            NameTables.Tried tried = tables.acquireOrPeek(claim);
            return tried.fence() > 0
                    ? Optional.of(Attempt.granted(tried.fence()))
                    : tried.before().flatMap(this::busy);
        }
        Optional<Attempt> busy = tables.peek(claim).flatMap(this::busy);
        return busy.isPresent() ? busy : acquireAtOnce();
    }

    /** Busy, if the rules say so and there is nothing to write. */
    private Optional<Attempt> busy(LoadedName name) {
        Decision<Attempt> decision = decide(name);
        return decision.answer() instanceof Attempt.Busy && !name.needsWrite(decision.state())
                ? Optional.of(decision.answer())
                : Optional.empty();
    }

    private boolean isPlain() {
        return claim.id().kind() == LockKind.LOCK && !claim.mode().inOrder();
    }

    private boolean hasWaited() {
        Duration waited = claim.waited();
        return waited != null && !waited.isZero();
    }

    private Attempt decideLocked() throws SQLException {
        return session.inTransaction(
                () -> {
                    LoadedName name = tables.locked(claim);
                    Decision<Attempt> decision = decide(name);
                    tables.save(name, decision.state(), decision.woken(), claim);
                    return decision.answer();
                },
                new UnreachableWaiters(session, claim)::wakeOthers);
    }

    /** Begins to listen for wakes only if the claim has to wait, and then lists it with the channel. */
    private Decision<Attempt> decide(LoadedName name) {
        String channel = session.channel();
        Decision<Attempt> decision = name.acquire(claim, channel);
        if (claim.waited() == null || decision.answer() instanceof Attempt.Granted) {
            return decision;
        }
        session.listen();
        if (!session.channel().equals(channel)) {
            decision = name.acquire(claim, session.channel());
        }
        return session.isListening()
                ? decision
                : new Decision<>(
                        decision.state(), Attempt.busy(name.pollDelay(decision.state(), claim)), decision.woken());
    }
}
