package dev.interlock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long a lock is to be held. This is a type of its own, so that a lease and a wait cannot be mixed up. Immutable.
 *
 * <ul>
 *   <li>{@link #renewing()}: held until released. The client renews the lease in the store every third of its length.
 *       If the holder dies, the lease ends within that length.
 *   <li>{@link #fixed(Duration)}: ends after this time, whatever happens. Never renewed; only
 *       {@link Lease#extend(Duration)} makes it longer.
 * </ul>
 */
@SuppressWarnings("exports")
public final class LeaseTerm {

    /** The shortest lease, 50 ms: shorter ones would be mostly margin. */
    public static final Duration MIN = Duration.ofMillis(50);

    /** The longest lease, 365 days. */
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

    /** {@return the default term: renewed until released, for 30 seconds in the store at a time} */
    public static LeaseTerm renewing() {
        return DEFAULT;
    }

    /**
     * {@return a term that is renewed until released}
     *
     * @param ttl how long the store keeps the claim of a dead holder, 50 ms to 365 days; the holder must reach the
     *     store once in that time. ZooKeeper keeps the claim for the time-out of the holder's session
     * @throws IllegalArgumentException if {@code ttl} is out of range
     */
    public static LeaseTerm renewing(Duration ttl) {
        return new LeaseTerm(checked("A lease", Objects.requireNonNull(ttl, "ttl")), true, null);
    }

    /**
     * {@return a term that ends after this time: in the store exactly then, in this process 1 % and 2 ms earlier}
     *
     * @param length 50 ms to 365 days, counted from the moment the request was sent
     * @throws IllegalArgumentException if {@code length} is out of range
     */
    public static LeaseTerm fixed(Duration length) {
        return new LeaseTerm(checked("A lease", Objects.requireNonNull(length, "length")), false, null);
    }

    /**
     * {@return the same term with a longest hold} A lease that has been held for this long is lost
     * ({@link LossCause#EXPIRED}). This bounds a holder that hangs while its process lives.
     *
     * @param limit 50 ms to 365 days
     * @throws IllegalArgumentException if {@code limit} is out of range
     * @throws IllegalStateException if this is a fixed term, whose length is its bound
     */
    public LeaseTerm maxHold(Duration limit) {
        if (!renewed) {
            throw new IllegalStateException(
                    "maxHold is for renewing leases; a fixed lease ends after its length: " + this);
        }
        return new LeaseTerm(length, true, checked("A maximum hold", Objects.requireNonNull(limit, "limit")));
    }

    /** {@return how long the store keeps the claim without a renewal} */
    public Duration length() {
        return length;
    }

    /** {@return whether the client renews the lease} */
    public boolean isRenewing() {
        return renewed;
    }

    /** {@return the longest hold of a renewing term; empty if it has none} */
    public Optional<Duration> maxHold() {
        return Optional.ofNullable(maxHold);
    }

    private static Duration checked(String what, Duration value) {
        if (value.compareTo(MIN) < 0 || value.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(what + " must last from 50 ms to 365 days: " + value);
        }
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LeaseTerm that
                && length.equals(that.length)
                && renewed == that.renewed
                && Objects.equals(maxHold, that.maxHold);
    }

    @Override
    public int hashCode() {
        return Objects.hash(length, renewed, maxHold);
    }

    @Override
    public String toString() {
        return (renewed ? "renewing(" : "fixed(") + length + (maxHold == null ? ")" : ").maxHold(" + maxHold + ")");
    }
}
