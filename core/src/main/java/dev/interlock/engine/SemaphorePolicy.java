package dev.interlock.engine;

/**
 * The permits of a semaphore: each holder needs a claim of its own. One that is held is put aside at once, and the next
 * is asked for. When its holder lets go it passes to the first in the queue, for the rest of its turn, if that wants as
 * many permits.
 */
final class SemaphorePolicy extends KindPolicy {

    /** With so many claims that are looked after together, whoever comes asks at an arbiter of its own. */
    private static final int MOST_CLAIMS = 64;

    /**
     * As long as the store may have permits left, each caller asks for its own and need not wait for another's reply.
     * It lines up when the store has said that there are none.
     */
    @Override
    boolean linesUp(Waiter waiter, boolean isLine, int claims) {
        return waiter.hasAsked() || (isLine && !waiter.isSingleAttempt() && claims < MOST_CLAIMS);
    }

    @Override
    boolean hasClaimForEach() {
        return true;
    }

    @Override
    boolean isReplaced() {
        return false;
    }
}
