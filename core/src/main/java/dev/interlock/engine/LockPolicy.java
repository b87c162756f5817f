package dev.interlock.engine;

import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Wake;
import org.jspecify.annotations.Nullable;

/**
 * A plain lock: its claim stays open between a release and the arrival of the caller whose turn it is, which takes a
 * switch of threads. Whoever runs already may take an open claim: the barging of the unfair locks of
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
final class LockPolicy extends KindPolicy {

    /** How often the first in the queue is overtaken at most, however long it takes to wake up. */
    static final int MOST = 32;

    private @Nullable Waiter signalled;
    private boolean arrivedInVain;
    private int overtaken;

    @Override
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

    @Override
    void overtaken() {
        overtaken++;
    }

    /** If there is no lease for it now, the next one is handed over to it. */
    @Override
    void arrived(Waiter waiter) {
        arrivedInVain |= waiter == signalled;
    }

    /**
     * The store takes a claim off its list when it wakes it. If the claim was given up meanwhile, the wake is for the
     * claim after it, and the owner does not count. A claim in order is still listed, and its release wakes the next
     * one.
     */
    @Override
    @Nullable
    OwnerId woken(Wake wake, boolean inOrder) {
        return inOrder ? wake.owner() : null;
    }
}
