package dev.interlock.engine;

import dev.interlock.engine.PendingRelease.Outstanding;
import dev.interlock.spi.Claim;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an arbiter has decided under its monitor and does after leaving it: requests to the store, callers to tell,
 * claims to take back. One object for one decision; not thread-safe.
 */
final class Effects {

    private final Arbiter arbiter;
    private @Nullable ClaimLife ask;
    private @Nullable Waiter told;
    private @Nullable List<Runnable> more;
    private @Nullable List<Runnable> before;

    Effects(Arbiter arbiter) {
        this.arbiter = arbiter;
    }

    /** Send the acquire of this claim. */
    void ask(ClaimLife life) {
        ask = life;
    }

    /** Tell this caller its outcome. */
    void tell(Waiter waiter) {
        if (told == null) {
            told = waiter;
        } else {
            also(waiter::tell);
        }
    }

    /** Release a claim of which the store may hold something until {@code untilNanos}. */
    void release(PendingReleases releases, Claim claim, long untilNanos, Outstanding outstanding) {
        beforeAsking(() -> releases.release(claim, untilNanos, outstanding));
    }

    /** Give up an acquire that is not answered, and release what the store may hold of it. */
    void giveUp(PendingReleases releases, ClaimLife asked) {
        Claim claim = asked.claim();
        long untilNanos = asked.endsInStoreNanos();
        boolean listed = asked.isListed();
        beforeAsking(() -> {
            boolean unsent = asked.withdrawInFlight();
            if (listed || !unsent) {
                releases.release(claim, untilNanos, unsent ? Outstanding.NOTHING : Outstanding.ACQUIRE);
            }
        });
    }

    /** Acquire a held claim once more, as {@code shared}. */
    void convert(ClaimLife life, Claim shared, long nowNanos) {
        beforeAsking(() -> arbiter.convert(life, shared, nowNanos));
    }

    private void beforeAsking(Runnable request) {
        if (before == null) {
            before = new ArrayList<>(2);
        }
        before.add(request);
    }

    /** Anything else. */
    void also(Runnable effect) {
        if (more == null) {
            more = new ArrayList<>(2);
        }
        more.add(effect);
    }

    /** Does it all, with no lock held. */
    void run() {
        run(false);
    }

    /** @param lent whether this thread belongs to a caller that waits without limit for what is asked */
    void run(boolean lent) {
        announce();
        request(lent);
    }

    /** The part that stays in this process: callers, callbacks, listeners. */
    void announce() {
        if (told != null) {
            told.tell();
        }
        if (more != null) {
            more.forEach(Runnable::run);
        }
    }

    boolean hasRequests() {
        return before != null || ask != null;
    }

    /**
     * The part that goes to the store. Claims are taken back, or shared, before new ones are asked for: a store keeps
     * the order.
     */
    void request() {
        request(false);
    }

    private void request(boolean lent) {
        if (before != null) {
            before.forEach(Runnable::run);
        }
        if (ask != null) {
            arbiter.send(ask, lent);
        }
    }
}
