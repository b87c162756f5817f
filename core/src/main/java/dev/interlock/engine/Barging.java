package dev.interlock.engine;

import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import org.jspecify.annotations.Nullable;

/**
 * Between a release and the arrival of the caller whose turn it is, a switch of threads, the claim is open to whoever
 * runs already: the barging of the unfair locks of {@code java.util.concurrent}. Not thread-safe: guarded by the
 * arbiter's monitor.
 *
 * <pre>
 *   lease ends, the first is called -> open -> the first comes, and has it
 *                                        \---> another comes, and has it; its lease ends -> open again, until
 *                                              the first has come in vain or was overtaken {@link #MOST} times:
 *                                              then the next lease is the first's without being called
 * </pre>
 *
 * <p>Open means: held, without a lease, and somebody queued. Anything that happens then but a release or somebody who
 * barges in serves the first in the queue, and so does the time when the claim is to be renewed.
 */
final class Barging {

    /** So often the first in the queue is overtaken at most, however long it takes to wake up. */
    static final int MOST = 32;

    private final LockId id;
    private final CallerQueue queue;
    private final Tenures tenures;
    private @Nullable Waiter called;
    private boolean inVain;
    private int overtaken;

    Barging(LockId id, CallerQueue queue, Tenures tenures) {
        this.id = id;
        this.queue = queue;
        this.tenures = tenures;
    }

    /**
     * Whether a claim of which a lease has just ended is left open for the first in the queue to come; it is told so if
     * it does not know. Only a plain lock's: who wants a side of a read/write lock keeps to the order, so that neither
     * starves the other.
     */
    boolean leavesOpen(Tenure held, long now, Effects effects) {
        return id.kind() == LockKind.LOCK
                && held == tenures.present()
                && isOpen(held)
                && held.mayGoTo(queue.first(), now)
                && isWaitedFor(queue.first(), effects);
    }

    private boolean isOpen(Tenure held) {
        return held.isHeld() && held.isIdle() && !queue.isEmpty();
    }

    private boolean isWaitedFor(Waiter first, Effects effects) {
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

    /** The lease for somebody who comes while the claim is open; null if there is none, and it lines up. */
    @Nullable
    EngineLease take(Waiter passer, long now) {
        Tenure held = tenures.present();
        if (held == null || !isOpen(held) || !held.mayGoTo(passer, now)) {
            return null;
        }
        overtaken++;
        return held.grant(passer, now);
    }

    /**
     * When the first in the queue gets an open claim although it has not come: when the claim is to be renewed, so that
     * it does not end.
     */
    long dueNanos() {
        Tenure held = tenures.present();
        return held != null && isOpen(held) ? held.life().plannedRenewalNanos() : Waiter.FOREVER;
    }

    /** Somebody who was called has come; if there is no lease for it now, the next is its own. */
    void come(Waiter waiter) {
        inVain |= waiter == called;
    }
}
