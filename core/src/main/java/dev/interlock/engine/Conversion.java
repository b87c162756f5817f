package dev.interlock.engine;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import java.time.Duration;

/**
 * The step of a claim from exclusive to shared: the same claim is acquired as shared. The request is repeated until the
 * store has replied, and also renews the lease. From the moment it is sent the claim counts as shared here. Not
 * thread-safe: the arbiter's monitor guards it.
 */
final class Conversion {

    private static final long RETRY_NANOS = Duration.ofMillis(10).toNanos();

    private final Timeouts timeouts;
    private final ClaimLife life;

    /** Whether a request is under way. */
    private boolean asking;

    /** Whether a request was given up that may still reach the store. */
    private boolean lostSight;

    /** When to send the next request, or to give up the one under way. */
    private long dueNanos = EngineClock.NEVER;

    Conversion(Timeouts timeouts, ClaimLife life) {
        this.timeouts = timeouts;
        this.life = life;
    }

    /** Whether a request is under way. */
    boolean isAsking() {
        return asking;
    }

    /** Whether a request may still reach the store. */
    boolean isUnsure() {
        return asking || lostSight;
    }

    long dueNanos() {
        return dueNanos;
    }

    /** Sends the request, or gives up the one under way, whose failure then leads to the next. */
    void send(boolean renewing, long now, DeferredActions actions) {
        if (asking) {
            // Its failure leads to the next request. If it has not even been sent yet, this looks again.
            dueNanos = now + RETRY_NANOS;
            actions.cancelInFlight(life);
            return;
        }
        asking = true;
        Claim claim = life.claim();
        Duration length = life.atLeast(renewing ? claim.lease() : Duration.ZERO, now);
        life.share();
        life.renewalSent(length, now);
        dueNanos = now + timeouts.renewalNanos(claim.lease(), life.renewalFailures());
        actions.convert(life, Claim.of(claim.id(), Mode.shared(), claim.owner(), length, claim.party()), now);
    }

    /**
     * Takes the reply in. Returns whether the claim is held; if not, it was gone, and the store may have granted it as
     * a new one.
     */
    boolean onReply(Attempt answer) {
        asking = false;
        dueNanos = EngineClock.NEVER;
        return answer instanceof Attempt.Granted granted && granted.fence() == life.fence();
    }

    void failed(long now) {
        asking = false;
        lostSight = true;
        dueNanos = life.renewalFailed(now);
    }
}
