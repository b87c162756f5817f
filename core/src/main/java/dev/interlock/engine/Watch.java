package dev.interlock.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.LeaseOrigin;
import dev.interlock.LockObserver;
import dev.interlock.ReleaseOutcome;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Follows one acquisition for an observer, and by {@code next} for the others. Called with no lock held.
 *
 * <p>The supervisor may end a lease, or another thread release it, before its caller has reported it. Then the caller
 * reports the end as well. Thread-safe; its monitor guards the fields, and is not held while the observer is called.
 */
final class Watch {

    private final EngineClock clock;
    private final long startNanos;
    private final LockObserver.Acquisition observer;
    private final @Nullable Watch next;

    /** Whether the observer knows of the lease. */
    @GuardedBy("this")
    private boolean acquired;

    /** How the lease has ended; null before. */
    @GuardedBy("this")
    private @Nullable ReleaseOutcome outcome;

    @GuardedBy("this")
    private long heldNanos;

    /** Begins now. */
    Watch(EngineClock clock, LockObserver.Acquisition observer, @Nullable Watch next) {
        this.clock = clock;
        this.startNanos = clock.now();
        this.observer = observer;
        this.next = next;
    }

    /** The caller waits. */
    void waiting(boolean blocked, Predicate<RuntimeException> end) {
        try {
            observer.waiting(blocked, end);
        } catch (Throwable e) {
            Callbacks.threw(e);
        }
        if (next != null) {
            next.waiting(blocked, end);
        }
    }

    /** The caller has got a lease. */
    void acquired(long token, LeaseOrigin origin, long grantedNanos) {
        try {
            observer.acquired(token, origin, duration(grantedNanos - startNanos));
        } catch (Throwable e) {
            Callbacks.threw(e);
        }
        ReleaseOutcome before;
        long held;
        synchronized (this) {
            acquired = true;
            before = outcome;
            held = heldNanos;
        }
        if (before != null) {
            report(before, held);
        }
        if (next != null) {
            next.acquired(token, origin, grantedNanos);
        }
    }

    /** The caller gets this instead of a lease; null if the lock was not free. */
    void gaveUp(@Nullable Throwable failure) {
        try {
            observer.gaveUp(failure, duration(clock.now() - startNanos));
        } catch (Throwable e) {
            Callbacks.threw(e);
        }
        if (next != null) {
            next.gaveUp(failure);
        }
    }

    /** The lease has ended. Only the first call counts. */
    void ended(ReleaseOutcome how, long held) {
        boolean first;
        boolean known;
        synchronized (this) {
            known = acquired;
            first = outcome == null;
            if (first) {
                outcome = how;
                heldNanos = held;
            }
        }
        if (first && known) {
            report(how, held);
        }
        if (next != null) {
            next.ended(how, held);
        }
    }

    private void report(ReleaseOutcome how, long held) {
        try {
            observer.ended(how, duration(held));
        } catch (Throwable e) {
            Callbacks.threw(e);
        }
    }

    /** A grant or an end may carry a slightly earlier time than the beginning. */
    private static Duration duration(long nanos) {
        return Duration.ofNanos(Math.max(0, nanos));
    }
}
