package dev.interlock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * For how long a lock is asked: a type of its own, so that a lease and a wait cannot be mixed up. Immutable.
 *
 * <ul>
 *   <li>{@link #renewing()}: held until released; a watchdog renews the lease in the store every third of its length,
 *       and the holder's death ends it within that length.
 *   <li>{@link #fixed(Duration)}: ends after this time, whatever happens; never renewed, but by
 *       {@link Lease#extend(Duration)}.
 * </ul>
 */
@SuppressWarnings("exports")
public final class LeaseTerm {

    /** The shortest lease: shorter ones would be mostly margin. */
    public static final Duration MIN = Duration.ofMillis(50);

    /** The longest lease. */
    public static final Duration MAX = Duration.ofDays(365);

    private static final LeaseTerm DEFAULT = new LeaseTerm(Duration.ofSeconds(30), true, null);

    private final Duration length;
    private final boolean renewed;
    private final @Nullable Duration maxHold;

    private LeaseTerm(Duration length, boolean renewed, @Nullable Duration maxHold) {
        this.length = length;
        this.renewed = renewed;
        this.maxHold = maxHold;
    }

    /** Renewed until released; 30 seconds in the store at a time. */
    public static LeaseTerm renewing() {
        return DEFAULT;
    }

    /**
     * Renewed until released.
     *
     * @param ttl how long the store keeps the claim of a dead holder, 50 ms to 365 days; the holder must reach the
     *     store once in that time. ZooKeeper keeps it for the time-out of the holder's session
     */
    public static LeaseTerm renewing(Duration ttl) {
        return new LeaseTerm(checked("A renewing lease", ttl), true, null);
    }

    /**
     * Ends after this time: in the store exactly then, here 1 % and 2 ms earlier.
     *
     * @param length 50 ms to 365 days, counted from the moment the request was sent
     */
    public static LeaseTerm fixed(Duration length) {
        return new LeaseTerm(checked("A fixed lease", length), false, null);
    }

    /**
     * The same, but lost ({@link LossCause#EXPIRED}) when it has been held for this long: a bound against holders that
     * hang while their process lives.
     *
     * @param limit 50 ms to 365 days
     * @throws IllegalStateException if this is a fixed term, whose length is its bound
     */
    public LeaseTerm maxHold(Duration limit) {
        if (!renewed) {
            throw new IllegalStateException(
                    "maxHold is for renewing leases; a fixed lease ends after its length: " + this);
        }
        return new LeaseTerm(length, true, checked("A maximum hold", limit));
    }

    /** How long the store keeps the claim without hearing of the holder. */
    public Duration length() {
        return length;
    }

    /** Whether the watchdog renews it. */
    public boolean isRenewing() {
        return renewed;
    }

    /** The longest hold of a renewing term; null if it has none. */
    public @Nullable Duration maxHold() {
        return maxHold;
    }

    private static Duration checked(String what, Duration value) {
        if (value.compareTo(MIN) < 0 || value.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(what + " must last from " + MIN + " to " + MAX + ": " + value);
        }
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LeaseTerm that
                && length.equals(that.length)
                && renewed == that.renewed
                && java.util.Objects.equals(maxHold, that.maxHold);
    }

    @Override
    public int hashCode() {
        return java.util.Objects.hash(length, renewed, maxHold);
    }

    @Override
    public String toString() {
        return (renewed ? "renewing(" : "fixed(") + length + (maxHold == null ? ")" : ").maxHold(" + maxHold + ")");
    }
}
