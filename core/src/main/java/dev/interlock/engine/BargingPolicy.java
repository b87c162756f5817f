package dev.interlock.engine;

import org.jspecify.annotations.Nullable;

/**
 * Whether a claim stays open between a release and the arrival of the caller whose turn it is, which takes a switch of
 * threads. Whoever runs already may take an open claim: the barging of the unfair locks of
 * {@code java.util.concurrent}. Not thread-safe: the arbiter's monitor guards it.
 *
 * <pre>
 *   a lease ends, the first in the queue is signalled -> open -> the first arrives, and has the lease
 *                                                         |
 *                                                         +----> another barges in; its lease ends -> open again, until
 *                                                                the first has arrived in vain, or was overtaken
 *                                                                {@link #MOST} times: then the next lease is handed
 *                                                                over to the first
 * </pre>
 */
final class BargingPolicy {

    /** How often the first in the queue is overtaken at most, however long it takes to wake up. */
    static final int MOST = 32;

    private @Nullable Waiter signalled;
    private boolean arrivedInVain;
    private int overtaken;

    /** Whether a free claim is left open for the first in the queue to take, which is signalled if it does not know. */
    boolean leavesOpenFor(Waiter first, DeferredActions actions) {
        if (signalled == first) {
            return !arrivedInVain && overtaken < MOST;
        }
        signalled = first;
        arrivedInVain = false;
        overtaken = 0;
        boolean comes = first.signal();
        if (comes) {
            actions.notify(first);
        }
        return comes;
    }

    /** Somebody has barged in. */
    void overtaken() {
        overtaken++;
    }

    /** A caller that was signalled has arrived. If there is no lease for it now, the next one is handed over to it. */
    void arrived(Waiter waiter) {
        arrivedInVain |= waiter == signalled;
    }
}
