package dev.interlock.engine;

import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Claim;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Claims that nobody here relies on any more, and of which the store may still hold something. Each is released until the store confirms it or its lease
 * would have ended. Thread-safe.
 */
final class Departures {

    private static final long POLL_NANOS = 1_000_000;

    private final EngineCore core;
    private final Map<Claim, Departure> pending = new ConcurrentHashMap<>();

    Departures(EngineCore core) {
        this.core = core;
    }

    /**
     * Releases a claim in the background.
     *
     * @param untilNanos when the store will have forgotten it by itself
     * @param outcomeKnown false if an acquire of it may still be on its way: then "not there" may mean "not yet there"
     */
    void takeBack(Claim claim, long untilNanos, boolean outcomeKnown) {
        start(new Departure(core, this, claim, untilNanos, outcomeKnown, false));
    }

    /**
     * Releases in the background a claim that was held while one more acquire of it is on its way: then not even "it was there" is the end of it, until that acquire
     * is answered.
     */
    void takeBackUnsure(Claim claim, long untilNanos) {
        start(new Departure(core, this, claim, untilNanos, false, true));
    }

    private void start(Departure departure) {
        pending.put(departure.claim(), departure);
        departure.attempt();
    }

    /** Waits for a bounded time until the answer to the last conversion has been taken in; what it is does not matter here. */
    void awaitConversion(ClaimLife life) {
        CompletableFuture<?> takenIn = life.conversion();
        if (takenIn == null) {
            return;
        }
        try {
            // A copy: the wait gives up its own future only.
            core.await(takenIn.copy(), core.attemptTimeoutNanos(), "share the claim");
        } catch (StoreUnavailableException | UnsupportedOperationException e) {
            // It is asked for again, as long as the claim is held.
        }
    }

    /**
     * The acquire of a claim that is being taken back has been answered after all.
     *
     * @param stands whether it stands in the store then, held or listed: one that is listed and forgotten would swallow a wake
     */
    void answered(Claim claim, boolean stands, boolean known) {
        Departure departure = pending.get(claim);
        if (departure != null) {
            departure.acquireAnswered(stands, known);
        } else if (stands) {
            takeBack(claim, core.now() + claim.lease().toNanos(), true);
        }
    }

    void done(Departure departure) {
        pending.remove(departure.claim(), departure);
    }

    /** Waits until the store has answered for everything on its way out, or until then; the interrupt flag ends the wait too. */
    boolean awaitAnswers(long untilNanos) {
        while (!pending.values().stream().allMatch(Departure::isAnswered)) {
            long left = untilNanos - core.now();
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(this, Math.min(left, POLL_NANOS));
        }
        return true;
    }

    /** Tries again what is due; returns when something is due next. */
    long tick(long nowNanos) {
        long due = Waiter.FOREVER;
        for (Departure departure : pending.values()) {
            due = Math.min(due, departure.tick(nowNanos));
        }
        return due;
    }

    /** Releases a claim and waits for the store's answer, for a bounded time. */
    ReleaseOutcome releaseAndWait(ClaimLife life) {
        Claim claim = life.claim();
        boolean held;
        try {
            held = core.await(
                    core.releaseInStore(claim),
                    core.attemptTimeoutNanos(),
                    "release lock '" + claim.id().name() + "'");
        } catch (StoreUnavailableException e) {
            life.unknown("release not confirmed");
            takeBack(claim, life.endsInStoreNanos(), true);
            return ReleaseOutcome.UNCONFIRMED;
        }
        if (held) {
            life.released();
            return ReleaseOutcome.RELEASED;
        }
        LossCause cause = causeOfAbsence(claim);
        life.lose(cause);
        return ReleaseOutcome.lost(cause);
    }

    /** Why a claim that we relied on is not there: asked for by renewing it, which cannot bring it back. */
    private LossCause causeOfAbsence(Claim claim) {
        try {
            return core.renewNow(claim).cause();
        } catch (StoreUnavailableException e) {
            return LossCause.DELETED;
        }
    }
}
