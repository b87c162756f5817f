package dev.interlock.engine;

import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Claim;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Claims that nobody here relies on any more, and of which the store may still hold something. Each is released until
 * the store confirms it or its lease would have ended. Thread-safe.
 */
final class Departures {

    private static final long POLL_NANOS = 1_000_000;

    private final EngineCore core;
    private final Map<Claim, Departure> pending = new ConcurrentHashMap<>();
    private volatile boolean closed;

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
        start(new Departure(core, this, claim, untilNanos, outcomeKnown, false), false);
    }

    /**
     * Releases in the background a claim that was held while one more acquire of it is on its way: then not even "it
     * was there" is the end of it, until that acquire is answered.
     */
    void takeBackUnsure(Claim claim, long untilNanos) {
        start(new Departure(core, this, claim, untilNanos, false, true), false);
    }

    private void start(Departure departure, boolean lent) {
        pending.put(departure.claim(), departure);
        departure.attempt(lent);
        if (closed) {
            // The closing has not seen it, perhaps.
            departure.conclude();
        }
    }

    /**
     * The acquire of a claim that is being taken back has been answered after all.
     *
     * @param stands whether it stands in the store then, held or listed: one that is listed and forgotten would swallow
     *     a wake
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

    /**
     * Waits until the store has answered for everything on its way out, or until then; deaf to interrupts, as every
     * release is. The flag is set again.
     */
    boolean awaitAnswers(long untilNanos) {
        boolean interrupted = false;
        while (!isAnswered() && core.now() < untilNanos) {
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(this, POLL_NANOS);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return isAnswered();
    }

    private boolean isAnswered() {
        return pending.values().stream().allMatch(Departure::isAnswered);
    }

    /** Tries again what is due; returns when something is due next. */
    long tick(long nowNanos) {
        long due = Waiter.FOREVER;
        for (Departure departure : pending.values()) {
            due = Math.min(due, departure.tick(nowNanos));
        }
        return due;
    }

    /**
     * What a release will have come to. It completes without the store's help in time, and on any thread.
     *
     * @param lent whether the calling thread does nothing else until then
     */
    CompletableFuture<ReleaseOutcome> outcomeOf(Handback handback, boolean lent) {
        ClaimLife toRelease = handback.toRelease();
        if (toRelease != null) {
            Departure departure = new Departure(core, this, toRelease);
            start(departure, lent);
            return departure.outcome();
        }
        ClaimLife converting = handback.converting();
        CompletableFuture<?> takenIn = converting == null ? null : converting.conversion();
        // When the client closes a conversion that is under way is given up; who comes after that must not wait for its
        // own.
        return takenIn == null || core.isClosed()
                ? CompletableFuture.completedFuture(handback.outcome())
                : takenIn.handle((answer, failure) -> handback.outcome());
    }

    /**
     * Waits for the outcome of a release, whose two questions to the store have a time each: in vain only if the
     * supervisor itself runs a callback that calls this.
     */
    ReleaseOutcome await(CompletableFuture<ReleaseOutcome> outcome) {
        if (outcome.isDone()) {
            return outcome.join();
        }
        try {
            // A copy: the wait gives up its own future only.
            return core.await(outcome.copy(), 2 * core.attemptTimeoutNanos(), "release");
        } catch (StoreUnavailableException e) {
            return ReleaseOutcome.UNCONFIRMED;
        }
    }

    /** The client is closed, and nobody will look after them: who waits for an outcome is told what is known. */
    void close() {
        closed = true;
        pending.values().forEach(Departure::conclude);
    }
}
