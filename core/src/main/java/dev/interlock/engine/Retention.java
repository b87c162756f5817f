package dev.interlock.engine;

import dev.interlock.spi.OwnerId;

/**
 * Whether a held claim is kept when no lease is on it any more, and until when. Not thread-safe: the arbiter's monitor
 * guards it.
 *
 * <pre>
 *   IN_USE   -> IDLE      its last lease is released, and nobody of this client is queued
 *            -> ORDINARY  another client wants the name
 *   IDLE     -> IN_USE    a caller of this client takes it
 *            -> ORDINARY  another client wants the name, or the time is over
 * </pre>
 *
 * <p>A claim that was not acquired to be retained is {@code ORDINARY} from the start. A request of another client may
 * be reported before the reply that grants the claim, so {@link #wanted} counts in any state of the claim.
 */
final class Retention {

    private RetentionState state;

    /** For how long the claim is kept after the present lease; 0: not at all. */
    private long idleNanos;

    private long untilNanos;

    /** Of the claim of this owner. */
    Retention(OwnerId owner) {
        state = owner.isRetained() ? RetentionState.IN_USE : RetentionState.ORDINARY;
    }

    /** A lease begins. */
    void used(Waiter holder) {
        idleNanos =
                holder.term().isRenewing() ? EngineClock.nanos(holder.options().retained()) : 0;
        if (state == RetentionState.IDLE) {
            transition(RetentionState.IN_USE);
        }
    }

    /** The last lease is released; returns whether the claim is kept. */
    boolean released(long now) {
        if (state != RetentionState.IN_USE || idleNanos == 0) {
            return false;
        }
        untilNanos = now + idleNanos;
        transition(RetentionState.IDLE);
        return true;
    }

    /** Another client wants the name. */
    void wanted() {
        if (state != RetentionState.ORDINARY) {
            transition(RetentionState.ORDINARY);
        }
    }

    /** Ends it if its time is over. */
    void expire(long now) {
        if (now >= dueNanos()) {
            transition(RetentionState.ORDINARY);
        }
    }

    RetentionState state() {
        return state;
    }

    /** When the time of a claim without a lease is over. */
    long dueNanos() {
        return state == RetentionState.IDLE ? untilNanos : EngineClock.NEVER;
    }

    private void transition(RetentionState to) {
        if (!state.next().contains(to)) {
            throw new IllegalStateException("The retention of a claim cannot go from " + state + " to " + to);
        }
        state = to;
    }
}
