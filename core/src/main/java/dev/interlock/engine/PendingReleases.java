package dev.interlock.engine;

import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.PendingRelease.Outstanding;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The claims that nobody here relies on any more and of which the store may still have something. Each is released
 * until the store confirms that nothing is left, or its lease would have ended. Thread-safe.
 */
final class PendingReleases {

    private static final long POLL_NANOS = 1_000_000;

    private final StoreClient store;
    private final Supervisor supervisor;
    private final Map<Claim, PendingRelease> pending = new ConcurrentHashMap<>();

    /** For each name the end of the releases for which nobody waits but the next acquires. */
    private final Map<LockId, CompletableFuture<?>> early = new ConcurrentHashMap<>();

    /** How many are about to decide upon a release: holders, while the client closes, and who gives up an acquire. */
    private final AtomicInteger deciding = new AtomicInteger();

    private final Consumer<PendingRelease> whenDone = this::done;
    private volatile boolean closed;

    PendingReleases(StoreClient store, Supervisor supervisor) {
        this.store = store;
        this.supervisor = supervisor;
    }

    /**
     * Releases a claim in the background.
     *
     * @param untilNanos when the store has forgotten it by itself
     * @param outstanding the request that the store may execute after the release
     */
    void release(Claim claim, long untilNanos, Outstanding outstanding) {
        start(new PendingRelease(store, supervisor, claim, untilNanos, outstanding, whenDone), false);
    }

    private void start(PendingRelease release, boolean lent) {
        pending.put(release.claim(), release);
        release.start(lent);
        if (closed) {
            // close() may have looked at the releases before this one was among them.
            release.conclude();
        }
    }

    /**
     * The reply to an acquire has arrived for a claim that nobody waits for any more.
     *
     * @param stands whether the store has the claim then, held or listed: one that is listed and forgotten would
     *     swallow a wake
     * @param known whether the reply says what the store has done
     */
    void onAcquireReply(Claim claim, boolean stands, boolean known) {
        PendingRelease release = pending.get(claim);
        boolean takenIn = release != null && release.onAcquireReply(stands, known);
        if (stands && !takenIn) {
            release(claim, store.clock().now() + claim.lease().toNanos(), Outstanding.NOTHING);
        }
    }

    /** Whether the store may still have something of the claim. */
    boolean isPending(Claim claim) {
        return pending.containsKey(claim);
    }

    /**
     * A holder of a client that closes, or somebody who gives up an acquire, is about to decide upon a release, which
     * is {@linkplain #isAnswered not answered} until {@link #decided} and after that.
     */
    void deciding() {
        deciding.incrementAndGet();
    }

    /** The release that follows, if any, is among the others. */
    void decided() {
        deciding.decrementAndGet();
    }

    private void done(PendingRelease release) {
        pending.remove(release.claim(), release);
    }

    /**
     * Waits until the store has replied to the last release of each claim, or until {@code untilNanos}. Ignores
     * interrupts, as every release does, and sets the flag again.
     */
    boolean awaitAnswers(long untilNanos) {
        boolean interrupted = false;
        while (!isAnswered() && store.clock().now() < untilNanos) {
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(this, POLL_NANOS);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return isAnswered();
    }

    /** Whether the store has replied to the last release of each claim. */
    boolean isAnswered() {
        // Read before the releases: one that was about to begin is among them then.
        if (deciding.get() > 0) {
            return false;
        }
        for (PendingRelease release : pending.values()) {
            if (!release.isAnswered()) {
                return false;
            }
        }
        return true;
    }

    /** Sends releases that are due; returns when something is due next. */
    long tick(long nowNanos) {
        long due = EngineClock.NEVER;
        for (PendingRelease release : pending.values()) {
            due = Math.min(due, release.tick(nowNanos));
        }
        return due;
    }

    /**
     * Releases a claim that was held until now, or leaves it to lapse.
     *
     * @param leftUntilNanos until when the store is to keep the name; 0 to release it
     * @param lent whether the calling thread does nothing else until the outcome is there
     * @return the outcome, which is there in time without the store's help, on any thread
     */
    CompletableFuture<ReleaseOutcome> release(ClaimLife held, long leftUntilNanos, boolean lent) {
        PendingRelease release = new PendingRelease(store, supervisor, held, leftUntilNanos, whenDone);
        start(release, lent);
        return release.outcome();
    }

    /** The acquires of the name that follow come after this release, until its outcome is known. */
    void precede(LockId id, CompletableFuture<ReleaseOutcome> release) {
        if (!release.isDone()) {
            CompletableFuture<?> all = early.merge(id, release, CompletableFuture::allOf);
            var unused = all.whenComplete((outcomes, failure) -> early.remove(id, all));
        }
    }

    /** Completes when the outcomes of those releases are known; null if there are none. */
    @Nullable
    CompletableFuture<?> preceding(LockId id) {
        return early.get(id);
    }

    /**
     * Waits for the outcome of a release. Each of its two requests has a bounded time, so this fails only if a callback
     * on the supervisor's own thread calls it, or one on a thread that must not wait.
     */
    ReleaseOutcome await(CompletableFuture<ReleaseOutcome> outcome) {
        if (outcome.isDone()) {
            return outcome.join();
        }
        try {
            store.ensureMayWait();
            // A copy: a wait that ends early cancels its own future only.
            return store.await(outcome.copy(), 2 * store.timeouts().attemptNanos(), "release");
        } catch (StoreUnavailableException | IllegalStateException e) {
            return ReleaseOutcome.UNCONFIRMED;
        }
    }

    /**
     * The client is closed, and the supervisor has ended: outcomes that are waited for are settled by what is known.
     */
    void close() {
        closed = true;
        pending.values().forEach(PendingRelease::conclude);
    }
}
