package dev.interlock.fence;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the largest token of each resource, and refuses smaller ones. It accepts a token that equals the largest
 * from the owner that brought it first, who may write as often as it likes.
 *
 * <p>Its memory is bounded. A resource whose token is forgotten would accept any token. So the gate forgets a token
 * only when it has not been used for the <em>retention</em>, and refuses a new resource if it is full of younger ones.
 * Choose a retention that no holder's pause outlasts. What the gate remembers ends with the process: a resource that
 * outlives the process must keep the token itself, beside its data.
 *
 * <p>The decision and the write should be one step for all writers: do both under a lock of the resource, or write what
 * {@link #check} accepted where no other writer can come between. Thread-safe.
 */
public final class FenceGate {

    private final int capacity;
    private final long retentionNanos;
    private final LongSupplier nanoClock;

    /** The least recently used first. Guarded by this object. */
    private final LinkedHashMap<String, Largest> largest = new LinkedHashMap<>(16, 0.75f, true);

    private static final class Largest {
        final long token;
        final String owner;
        final long usedNanos;

        Largest(long token, String owner, long usedNanos) {
            this.token = token;
            this.owner = owner;
            this.usedNanos = usedNanos;
        }
    }

    /**
     * Creates a gate that has seen no token yet.
     *
     * @param capacity the largest number of resources it remembers, 1 or more
     * @param retention how long it remembers an unused resource at least, positive
     * @throws IllegalArgumentException if an argument is out of range
     */
    public FenceGate(int capacity, Duration retention) {
        this(capacity, retention, System::nanoTime);
    }

    FenceGate(int capacity, Duration retention, LongSupplier nanoClock) {
        if (capacity < 1) {
            throw new IllegalArgumentException("The capacity of a gate must be 1 or more: " + capacity);
        }
        if (retention.isNegative() || retention.isZero()) {
            throw new IllegalArgumentException("The retention of a gate must be positive: " + retention);
        }
        this.capacity = capacity;
        this.retentionNanos = retention.toNanos();
        this.nanoClock = nanoClock;
    }

    /**
     * Does the same as {@link #check(String, long, String)}, for tokens that have one owner each, as those of leases
     * have.
     *
     * @param resource the resource that is written: usually the name of the lock
     * @param token the fencing token of the writer's lease, positive
     * @return whether the write may be done, and the largest token seen
     */
    public FenceVerdict check(String resource, long token) {
        return check(resource, token, "");
    }

    /**
     * Decides whether a write with this token may be done, and if so remembers the token.
     *
     * @param resource the resource that is written: usually the name of the lock
     * @param token the fencing token of the writer's lease, positive
     * @param owner the writer: anything that two writers do not share
     * @return whether the write may be done, and the largest token seen
     * @throws IllegalArgumentException if the token is not positive
     * @throws IllegalStateException if the gate is full, and all that it remembers has been used within the retention
     */
    public synchronized FenceVerdict check(String resource, long token, String owner) {
        if (token <= 0) {
            throw new IllegalArgumentException("A fencing token must be positive: " + token);
        }
        Largest seen = largest.get(resource);
        if (seen != null && (token < seen.token || (token == seen.token && !owner.equals(seen.owner)))) {
            largest.put(resource, new Largest(seen.token, seen.owner, nanoClock.getAsLong()));
            return FenceVerdict.refuse(seen.token);
        }
        makeRoom(seen, resource);
        largest.put(resource, new Largest(token, owner, nanoClock.getAsLong()));
        return FenceVerdict.accept(token);
    }

    private void makeRoom(@Nullable Largest seen, String resource) {
        if (seen != null || largest.size() < capacity) {
            return;
        }
        Iterator<Map.Entry<String, Largest>> oldestFirst = largest.entrySet().iterator();
        if (nanoClock.getAsLong() - oldestFirst.next().getValue().usedNanos < retentionNanos) {
            throw new IllegalStateException("The gate is full: capacity=" + capacity + ", and none of its resources has"
                    + " been unused for " + Duration.ofNanos(retentionNanos) + "; '" + resource + "' is refused");
        }
        oldestFirst.remove();
    }
}
