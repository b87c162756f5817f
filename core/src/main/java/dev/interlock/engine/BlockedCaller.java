package dev.interlock.engine;

import java.util.concurrent.locks.LockSupport;

/** A caller that waits in its own thread, parked: no thread and no timer of ours. */
final class BlockedCaller extends Waiter {

    private final Thread thread = Thread.currentThread();

    /** Whether a lease is there for it to come for. */
    private volatile boolean called;

    private boolean lends;

    BlockedCaller(Request request, boolean once, long startNanos, long deadlineNanos) {
        super(request, once, startNanos, deadlineNanos);
    }

    /**
     * Sleeps until it is told, the deadline has passed, or the thread is interrupted. Spurious returns are fine: the
     * caller looks at the outcome.
     *
     * @return false if the deadline has passed
     */
    boolean park(long untilNanos, long nowNanos) {
        if (untilNanos == FOREVER) {
            LockSupport.park(this);
            return true;
        }
        if (nowNanos >= untilNanos) {
            return false;
        }
        LockSupport.parkNanos(this, untilNanos - nowNanos);
        return true;
    }

    /** It waits without limit and is deaf to interrupts, and so has no better use for its thread. */
    BlockedCaller lending() {
        lends = true;
        return this;
    }

    @Override
    boolean lends() {
        return lends;
    }

    @Override
    boolean call() {
        called = true;
        return true;
    }

    /** Whether it was called, and has not come since; asked by its own thread, which then comes. */
    boolean answersCall() {
        if (called) {
            called = false;
            return true;
        }
        return false;
    }

    @Override
    void tell() {
        LockSupport.unpark(thread);
    }

    @Override
    boolean needsTimer() {
        return false;
    }
}
