package dev.interlock;

import java.time.Duration;
import java.util.Objects;

/**
 * Options of one lock. Immutable; each method returns a changed copy. Locks of one name in one client should be given
 * the same options: the queue in front of a name is shared.
 */
public final class LockOptions {

    /** The most hand-overs inside a process before others get their turn: the token has room for as many. */
    public static final int MAX_HAND_OVERS = 1023;

    private static final LockOptions DEFAULTS =
            new LockOptions(LeaseTerm.renewing(), MAX_HAND_OVERS, Duration.ofMillis(10), false, true);

    private final LeaseTerm lease;
    private final int handOverCount;
    private final Duration handOverTime;
    private final boolean fair;
    private final boolean reentrant;

    private LockOptions(LeaseTerm lease, int handOverCount, Duration handOverTime, boolean fair, boolean reentrant) {
        this.lease = lease;
        this.handOverCount = handOverCount;
        this.handOverTime = handOverTime;
        this.fair = fair;
        this.reentrant = reentrant;
    }

    /**
     * A re-entrant lock that is not fair, a renewing lease of 30 s, hand-over inside the process up to 1023 times or 10
     * ms, whichever is first.
     */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /** The term of acquisitions that name none. */
    public LockOptions lease(LeaseTerm term) {
        return new LockOptions(Objects.requireNonNull(term, "term"), handOverCount, handOverTime, fair, reentrant);
    }

    /**
     * Bounds of the hand-over inside the process: after so many, or so long, the next caller asks the store again,
     * behind all that wait there.
     *
     * @param count 0 (every release goes to the store) to {@value #MAX_HAND_OVERS}
     * @param time not negative
     */
    public LockOptions handOver(int count, Duration time) {
        if (count < 0 || count > MAX_HAND_OVERS) {
            throw new IllegalArgumentException(
                    "The hand-over count must be from 0 to " + MAX_HAND_OVERS + ": " + count);
        }
        if (time.isNegative()) {
            throw new IllegalArgumentException("The hand-over time must not be negative: " + time);
        }
        return new LockOptions(lease, count, time, fair, reentrant);
    }

    /**
     * The lock goes to the callers of all processes in the order in which they arrive at the store, at the price of a
     * slower hand-over: none is inside the process. {@code tryLock()} waits its turn too: it fails while anybody waits.
     * A claim of the same name that is not fair, or that of another client library, keeps to no order. The same holds
     * for a semaphore. Has no effect on a read/write lock, which keeps to the order between its readers and writers
     * anyway.
     */
    public LockOptions fair() {
        return new LockOptions(lease, handOverCount, handOverTime, true, reentrant);
    }

    /**
     * A thread that holds the lock cannot acquire it once more: {@code lock} throws {@link IllegalStateException} at
     * once, where it would wait for itself for ever, and {@code tryLock} fails.
     */
    public LockOptions nonReentrant() {
        return new LockOptions(lease, handOverCount, handOverTime, fair, false);
    }

    /** The term of acquisitions that name none. */
    public LeaseTerm lease() {
        return lease;
    }

    /** The most hand-overs of one claim. */
    public int handOverCount() {
        return handOverCount;
    }

    /** The longest time of hand-overs of one claim. */
    public Duration handOverTime() {
        return handOverTime;
    }

    /** Whether the order of arrival counts. */
    public boolean isFair() {
        return fair;
    }

    /** Whether the thread that holds it may acquire it once more. */
    public boolean isReentrant() {
        return reentrant;
    }
}
