package dev.interlock.engine;

import org.jspecify.annotations.Nullable;

/**
 * Between a release and the arrival of the caller whose turn it is, a switch of threads, the claim is open to whoever runs already: the barging of the unfair
 * locks of {@code java.util.concurrent}. Not thread-safe: guarded by the arbiter's monitor.
 *
 * <pre>
 *   lease ends, the first is called -> open -> the first comes, and has it
 *                                        \---> another comes, and has it; its lease ends -> open again, until
 *                                              the first has come in vain or was overtaken {@link #MOST} times:
 *                                              then the next lease is the first's without being called
 * </pre>
 *
 * <p>Open means: held, without a lease, and somebody queued. Anything that happens then but a release or somebody who barges in serves the first in the queue.
 */
final class Barging {

    /** So often the first in the queue is overtaken at most, however long it takes to wake up. */
    static final int MOST = 32;

    private @Nullable Waiter called;
    private boolean inVain;
    private int overtaken;

    /** Whether the claim, which has just become free, is left open for the first in the queue to come; it is told so if it does not know. */
    boolean leavesOpen(Waiter first, Effects effects) {
        if (called == first) {
            return !inVain && overtaken < MOST;
        }
        called = first;
        inVain = false;
        overtaken = 0;
        boolean comes = first.call();
        if (comes) {
            effects.tell(first);
        }
        return comes;
    }

    /** Somebody has taken the lease before the first in the queue. */
    void overtaken() {
        overtaken++;
    }

    /** Somebody who was called has come; if there is no lease for it now, the next is its own. */
    void come(Waiter waiter) {
        inVain |= waiter == called;
    }
}
