package dev.interlock.engine;

import java.util.concurrent.locks.LockSupport;

/** A caller that parks its own thread: it needs no other thread and no timer. */
final class BlockedCaller extends Waiter {

    private final Thread thread = Thread.currentThread();

    /** Whether a lease is there for it to take. */
    private volatile boolean signalled;

    private boolean lends;

    BlockedCaller(Request request, boolean singleAttempt, long startNanos, long deadlineNanos) {
        super(request, singleAttempt, startNanos, deadlineNanos);
    }

    /**
     * Sleeps until it is notified, the deadline has passed, or the thread is interrupted. A spurious return does no
     * harm: the caller looks at the outcome.
     */
    void park(EngineClock clock, long untilNanos, long nowNanos) {
        clock.park(this, untilNanos == EngineClock.NEVER ? EngineClock.NEVER : untilNanos - nowNanos);
    }

    /**
     * Marks a caller that waits without limit and ignores interrupts: it has no better use for its thread than to lend
     * it to the store.
     */
    BlockedCaller lending() {
        lends = true;
        return this;
    }

    @Override
    boolean lends() {
        return lends;
    }

    @Override
    boolean signal() {
        signalled = true;
        return true;
    }

    /** Whether there is a signal; takes it. Called by its own thread, which then goes to the arbiter. */
    boolean takeSignal() {
        if (signalled) {
            signalled = false;
            return true;
        }
        return false;
    }

    @Override
    void notifyCaller() {
        LockSupport.unpark(thread);
    }

    @Override
    boolean needsTimer() {
        return false;
    }
}
