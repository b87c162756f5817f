package dev.interlock.engine;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import java.time.Duration;

/**
 * The step of a claim from exclusive to shared: the same claim is acquired as shared. That is repeated until the store
 * has answered, and renews the lease as well. From the moment it is sent the claim counts as shared here. Not
 * thread-safe: the arbiter's monitor guards it.
 */
final class Conversion {

    private static final long RETRY_NANOS = Duration.ofMillis(10).toNanos();

    private final Timeouts timeouts;
    private final ClaimLife life;
    private State state = State.NONE;

    /** Whether a request was given up that may reach the store at any time. */
    private boolean lostSight;

    /** When to ask again, or to give up the request that is under way. */
    private long dueNanos = EngineClock.NEVER;

    private enum State {
        /** Not asked for. */
        NONE,
        /** A request is under way. */
        ASKING,
        /** A request has failed; the next one follows. */
        FAILED,
        /** The store has answered. */
        ANSWERED
    }

    Conversion(Timeouts timeouts, ClaimLife life) {
        this.timeouts = timeouts;
        this.life = life;
    }

    /** Whether a request is under way. */
    boolean isAsking() {
        return state == State.ASKING;
    }

    /** Whether a request may still reach the store. */
    boolean isUnsure() {
        return state == State.ASKING || lostSight;
    }

    long dueNanos() {
        return dueNanos;
    }

    /** Sends the request, or gives up the one under way, whose failure then leads to the next. */
    void send(boolean renewing, long now, DeferredActions actions) {
        if (state == State.ASKING) {
            // Its failure leads to the next; if it is not even sent yet, look again.
            dueNanos = now + RETRY_NANOS;
            actions.cancelInFlight(life);
            return;
        }
        state = State.ASKING;
        Claim claim = life.claim();
        Duration length = life.atLeast(renewing ? claim.lease() : Duration.ZERO, now);
        life.share();
        life.renewalSent(length, now);
        dueNanos = now + timeouts.renewalNanos(claim.lease(), life.renewalFailures());
        actions.convert(life, Claim.of(claim.id(), Mode.shared(), claim.owner(), length, claim.party()), now);
    }

    /**
     * Whether the answer says that the claim is held; if not, it was gone, and may have been granted as if it were a
     * new one.
     */
    boolean onReply(Attempt answer) {
        state = State.ANSWERED;
        dueNanos = EngineClock.NEVER;
        return answer instanceof Attempt.Granted granted && granted.fence() == life.fence();
    }

    void failed(long now) {
        state = State.FAILED;
        lostSight = true;
        dueNanos = life.renewalFailed(now);
    }
}
