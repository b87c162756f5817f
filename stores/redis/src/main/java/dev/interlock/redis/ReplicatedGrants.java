package dev.interlock.redis;

import dev.interlock.spi.Claim;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The grants that enough replicas have confirmed, until they are released or their lease ends. Those whose lease has
 * ended are removed when there are twice as many grants as remained the last time. Thread-safe.
 */
final class ReplicatedGrants {

    private static final int FEW = 128;

    private final Map<Claim, Grant> grants = new ConcurrentHashMap<>();

    /** The number of grants at which those that have ended are removed next. */
    private final AtomicInteger many = new AtomicInteger(FEW);

    private record Grant(long fence, long endNanos) {}

    void granted(Claim claim, long fence, long nowNanos) {
        grants.put(claim, new Grant(fence, end(claim, nowNanos)));
        if (grants.size() >= many.get()) {
            grants.values().removeIf(grant -> grant.endNanos() - nowNanos < 0);
            many.set(Math.max(FEW, 2 * grants.size()));
        }
    }

    /** Whether this grant of the owner has been confirmed, not an earlier one. */
    boolean has(Claim claim, long fence) {
        Grant known = grants.get(claim);
        return known != null && known.fence() == fence;
    }

    /** Notes that their leases begin anew. */
    void renewed(Collection<Claim> claims, long nowNanos) {
        for (Claim claim : claims) {
            grants.computeIfPresent(claim, (same, grant) -> new Grant(grant.fence(), end(claim, nowNanos)));
        }
    }

    void released(Claim claim) {
        grants.remove(claim);
    }

    int size() {
        return grants.size();
    }

    private static long end(Claim claim, long nowNanos) {
        long lease = TimeUnit.MILLISECONDS.toNanos(Settings.millis(claim.lease()));
        return nowNanos + Math.min(lease, Long.MAX_VALUE / 4);
    }
}
