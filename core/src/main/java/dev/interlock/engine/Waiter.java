package dev.interlock.engine;

import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.spi.Mode;
import org.jspecify.annotations.Nullable;

/**
 * One caller in an arbiter's queue. The arbiter removes it from the queue, under its monitor, before it decides the
 * outcome: so each waiter is decided once, and who gives up either finds itself still queued or has an outcome to take.
 */
abstract class Waiter {

    /** Deadline of a caller that waits without limit. */
    static final long FOREVER = Long.MAX_VALUE;

    private final Request request;
    private final boolean once;
    private final long startNanos;
    private final long deadlineNanos;
    private final String threadName;

    /** How it ended: an {@link EngineLease}, a {@link RuntimeException}, or {@link Refused}; null while it waits. */
    private volatile @Nullable Object outcome;

    /** The outcome of a caller that did not get the lock. */
    enum Refused {
        /** Somebody else has it. */
        REFUSED
    }

    Waiter(Request request, boolean once, long startNanos, long deadlineNanos) {
        this.request = request;
        this.once = once;
        this.startNanos = startNanos;
        this.deadlineNanos = deadlineNanos;
        this.threadName = Thread.currentThread().getName();
    }

    /** Tells the caller, with no lock held. Called once, after {@link #decide}. */
    abstract void tell();

    /**
     * Asks it to come for the lease; false if it would not, and has to be given it. Called under the monitor; it is
     * told afterwards.
     */
    boolean call() {
        return false;
    }

    /** Whether its thread, which submits it, may be kept by the store for as long as the first request takes. */
    boolean lends() {
        return false;
    }

    /** Whether the arbiter has to watch its deadline; a blocked caller watches its own. */
    abstract boolean needsTimer();

    /** Sets the outcome; called once, by the arbiter, after the waiter has left the queue. */
    final void decide(Object decided) {
        outcome = decided;
    }

    final @Nullable Object outcome() {
        return outcome;
    }

    final Request request() {
        return request;
    }

    final LeaseTerm term() {
        return request.term();
    }

    final LockOptions options() {
        return request.options();
    }

    /** Whether it wants a share of the name, not the whole. */
    final boolean isShared() {
        return request.mode() instanceof Mode.Shared;
    }

    /** Whether one attempt is all: it is not listed in the store. */
    final boolean once() {
        return once;
    }

    final long startNanos() {
        return startNanos;
    }

    final long deadlineNanos() {
        return deadlineNanos;
    }

    final String threadName() {
        return threadName;
    }
}
