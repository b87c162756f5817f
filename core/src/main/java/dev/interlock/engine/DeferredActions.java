package dev.interlock.engine;

import dev.interlock.engine.PendingRelease.Outstanding;
import dev.interlock.spi.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What an arbiter decides under its monitor and does after leaving it: callers to notify, code of the user to call,
 * requests to the store. One object for one decision; not thread-safe.
 */
final class DeferredActions {

    /** Sends the requests whose replies come back to the arbiter. Called with no lock held. */
    interface Sender {

        /**
         * Sends the acquire of a claim.
         *
         * @param lent whether the calling thread waits for the reply anyway, and so may be kept by the store
         */
        void sendAcquire(ClaimLife life, boolean lent);

        /** Acquires a held claim once more, as {@code shared}. */
        void sendConversion(ClaimLife life, Claim shared, long nowNanos);
    }

    private final Sender sender;
    private @Nullable ClaimLife acquire;
    private @Nullable Waiter decided;
    private @Nullable List<Runnable> local;
    private @Nullable List<Runnable> requests;

    DeferredActions(Sender sender) {
        this.sender = sender;
    }

    /** Send the acquire of this claim. */
    void acquire(ClaimLife life) {
        acquire = life;
    }

    /** Notify this caller: it has an outcome, or a lease is there for it to take. */
    void notify(Waiter waiter) {
        if (decided == null) {
            decided = waiter;
        } else {
            defer(waiter::notifyCaller);
        }
    }

    /** Release a claim of which the store may hold something until {@code untilNanos}. */
    void release(PendingReleases releases, Claim claim, long untilNanos, Outstanding outstanding) {
        request(() -> releases.release(claim, untilNanos, outstanding));
    }

    /** Give up an acquire that is not answered, and release what the store may hold of it. */
    void withdraw(PendingReleases releases, ClaimLife life) {
        Claim claim = life.claim();
        long untilNanos = life.endsInStoreNanos();
        boolean listed = life.isListed();
        Outstanding unanswered = listed ? Outstanding.FURTHER_ACQUIRE : Outstanding.ACQUIRE;
        request(() -> {
            releases.deciding();
            life.withdrawInFlight(unsent -> {
                try {
                    if (listed || !unsent) {
                        releases.release(claim, untilNanos, unsent ? Outstanding.NOTHING : unanswered);
                    }
                } finally {
                    releases.decided();
                }
            });
        });
    }

    /** Acquire a held claim once more, as {@code shared}. */
    void convert(ClaimLife life, Claim shared, long nowNanos) {
        request(() -> sender.sendConversion(life, shared, nowNanos));
    }

    /** Give up the conversion that is under way now. */
    void cancelInFlight(ClaimLife life) {
        CompletableFuture<?> inFlight = life.inFlight();
        if (inFlight != null) {
            defer(() -> inFlight.cancel(false));
        }
    }

    private void request(Runnable request) {
        if (requests == null) {
            requests = new ArrayList<>(2);
        }
        requests.add(request);
    }

    /** Anything else that stays in this process. */
    void defer(Runnable action) {
        if (local == null) {
            local = new ArrayList<>(2);
        }
        local.add(action);
    }

    /**
     * Does it all, with no lock held.
     *
     * @param lent whether this thread belongs to a caller that waits without limit for what is requested
     */
    void run(boolean lent) {
        runLocal();
        sendRequests(lent);
    }

    /** Does it all but the acquire, which it returns, unless other requests go before that; null if there is none. */
    @Nullable
    ClaimLife runUpToAcquire() {
        runLocal();
        if (requests == null) {
            return acquire;
        }
        sendRequests(false);
        return null;
    }

    /** Does the part that stays in this process: callers, callbacks, observers. */
    void runLocal() {
        if (decided != null) {
            decided.notifyCaller();
        }
        if (local != null) {
            local.forEach(Runnable::run);
        }
    }

    boolean hasRequests() {
        return requests != null || acquire != null;
    }

    /**
     * Does the part that goes to the store. Releases and conversions go before the acquire: a store keeps the order.
     */
    void sendRequests() {
        sendRequests(false);
    }

    private void sendRequests(boolean lent) {
        try {
            if (requests != null) {
                requests.forEach(Runnable::run);
            }
        } finally {
            // Whoever gives the acquire up waits until it is known.
            if (acquire != null) {
                sender.sendAcquire(acquire, lent);
            }
        }
    }
}
