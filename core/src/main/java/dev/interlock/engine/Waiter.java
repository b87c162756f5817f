package dev.interlock.engine;

import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.spi.Printable;
import org.jspecify.annotations.Nullable;

/**
 * One caller in an arbiter's queue. The arbiter removes it from the queue, under its monitor, before it decides the
 * outcome. So each waiter is decided once, and a caller that gives up either is still queued or has an outcome.
 */
abstract class Waiter {

    private final Request request;
    private final boolean singleAttempt;
    private final long startNanos;
    private final long deadlineNanos;
    private final String threadName;
    private final long threadId;

    /** Whether its time is over, and it stays for the store's first answer. Written under the arbiter's monitor. */
    private boolean overdue;

    /** Guarded by the arbiter's monitor. */
    private long arrival;

    /** Whether it needs an arbiter of its own. */
    private boolean sentAway;

    /** Whether it has asked for itself, and lines up now. */
    private boolean asked;

    /** Whether the store has said to it that others have the name. Guarded by the arbiter's monitor. */
    private boolean answered;

    /** Set before the caller is submitted. */
    private @Nullable Watch watch;

    /** Null while it waits. */
    private volatile @Nullable Outcome outcome;

    Waiter(Request request, boolean singleAttempt, long startNanos, long deadlineNanos) {
        this.request = request;
        this.singleAttempt = singleAttempt;
        this.startNanos = startNanos;
        this.deadlineNanos = deadlineNanos;
        Thread thread = Thread.currentThread();
        this.threadName = thread.getName();
        this.threadId = thread.getId();
    }

    /** A thread, for messages: names may be the same. */
    static String describe(Thread thread) {
        return describe(thread.getName(), thread.getId());
    }

    static String describe(String name, long id) {
        return "'" + Printable.of(name) + "' (id " + id + ")";
    }

    /** Notifies the caller, with no lock held: after {@link #decide}, or after {@link #signal}. */
    abstract void notifyCaller();

    /**
     * Signals the caller to take the lease; returns false if the lease must be handed over. Called under the monitor;
     * the caller is notified afterwards.
     */
    boolean signal() {
        return false;
    }

    /** Whether its thread, which submits it, may be lent to the store for as long as the first request takes. */
    boolean lends() {
        return false;
    }

    /** Whether the arbiter has to watch its deadline. A blocked caller watches its own, until it is overdue. */
    abstract boolean needsTimer();

    /** Sets the outcome; called once, by the arbiter, after the waiter has left the queue. */
    final void decide(Outcome decided) {
        outcome = decided;
    }

    final @Nullable Outcome outcome() {
        return outcome;
    }

    /** It needs a claim of its own, at an arbiter of its own. */
    final void sendAway() {
        sentAway = true;
    }

    /** Whether it needs an arbiter of its own. */
    final boolean isSentAway() {
        return sentAway;
    }

    /** It goes there now. Called by the one who submits it anew. */
    final void lineUp() {
        sentAway = false;
        asked = true;
        outcome = null;
    }

    /** Whether it has asked for itself, and lines up now. */
    final boolean hasAsked() {
        return asked;
    }

    /** The store has said to it that others have the name. */
    final void answered() {
        answered = true;
    }

    /** Whether the store has said to it that others have the name. */
    final boolean isAnswered() {
        return answered;
    }

    /** Has the acquisition followed. */
    final void watch(@Nullable Watch by) {
        watch = by;
    }

    /** Follows the acquisition; null if nobody observes it. */
    final @Nullable Watch watch() {
        return watch;
    }

    /** The caller gets this instead of a lease; null if the lock was not free. Called with no lock held. */
    final void reportGivingUp(@Nullable Throwable failure) {
        if (watch != null) {
            watch.gaveUp(failure);
        }
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
        return Request.isShared(request.mode());
    }

    /** It is the so-manieth that lined up in its queue. Called by the queue. */
    final void arrived(long number) {
        arrival = number;
    }

    /** Its number among those that have lined up in its queue. */
    final long arrival() {
        return arrival;
    }

    /** Whether it makes one attempt only, and is not listed in the store. */
    final boolean isSingleAttempt() {
        return singleAttempt;
    }

    /** Its time is over, but it stays. Called by the queue. */
    final void stay() {
        overdue = true;
    }

    /** Whether its time is over, and it stays for the store's first answer. */
    final boolean isOverdue() {
        return overdue;
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

    final long threadId() {
        return threadId;
    }
}
