package dev.interlock.engine;

import org.jspecify.annotations.Nullable;

/**
 * The zero of a latch: those who wait for it share one claim, which is over when it is granted. The count may change
 * after a request was sent, so the answer counts for those who had come before. Whoever comes later has the store asked
 * once more.
 */
final class LatchPolicy extends KindPolicy {

    /** A single attempt asks for itself: what the store has said to those who wait may be out of date. */
    @Override
    boolean linesUp(Waiter waiter, boolean isLine, int claims) {
        return !waiter.isSingleAttempt();
    }

    @Override
    boolean asksAgain(LeasedClaim waiting, WaiterQueue queue) {
        return !waiting.isAskedFor(queue.arrivals());
    }

    @Override
    boolean isOutdated(Waiter waiter, @Nullable LeasedClaim current, boolean isFailing) {
        return isFailing
                || (current != null && (current.isIn(ClaimState.ASKING) || !current.isAskedFor(waiter.arrival())));
    }

    @Override
    boolean isReplaced() {
        return false;
    }
}
