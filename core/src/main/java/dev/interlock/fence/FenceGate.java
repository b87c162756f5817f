package dev.interlock.fence;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the largest token of each resource, and refuses smaller ones. A token as large as the largest is accepted
 * from the owner that brought it first, who may write as often as it likes.
 *
 * <p>Its memory is bounded. A resource whose token is forgotten would accept any, so none is forgotten before it has
 * not been used for the <em>retention</em>, and if all are younger a new resource is refused. Choose a retention that
 * no holder's pause outlasts. What is remembered goes with the process: a resource that outlives it must keep the token
 * itself, beside its data.
 *
 * <p>The decision and the write should be one step for those who write: do both under a lock of the resource, or write
 * what {@link #check} accepted where nobody comes between. Thread-safe.
 */
public final class FenceGate {

    private final int capacity;
    private final long retentionNanos;
    private final LongSupplier nanoClock;

    /** The least recently used first. Guarded by this object. */
    private final LinkedHashMap<String, Largest> largest = new LinkedHashMap<>(16, 0.75f, true);

    private record Largest(long token, String owner, long usedNanos) {}

    /**
     * A gate that has seen nothing yet.
     *
     * @param capacity how many resources it remembers at most, 1 or more
     * @param retention for how long an unused one is remembered at least, positive
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

    /** {@link #check(String, long, String)} for tokens that have one owner each, as those of leases have. */
    public FenceVerdict check(String resource, long token) {
        return check(resource, token, "");
    }

    /**
     * Says whether a write of this token is in order, and if so remembers the token.
     *
     * @param resource what is written: mostly the name of the lock
     * @param token the fencing token of the writer's lease, positive
     * @param owner who writes: anything that two writers do not share
     * @throws IllegalArgumentException if the token is not positive
     * @throws IllegalStateException if the gate is full: all that it remembers has been used within the retention
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
