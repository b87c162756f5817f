package dev.interlock.zookeeper.node;

import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import java.util.List;
import java.util.Set;

/** The paths of a store's nodes, below its base path. */
public final class Paths {

    /** Below a semaphore: the claims that wait, or are about to take permits. */
    public static final String LOCKS = "/locks";

    /** Below a semaphore: the permits that are taken. */
    public static final String LEASES = "/leases";

    /** Below a semaphore: the capacity that it was set to. */
    public static final String CAPACITY = "/capacity";

    /** Below a latch: its count, as long as that is above zero. */
    public static final String COUNT = "/count";

    /** Below a latch: created and deleted with the count, and never written to, so that a watch on it fires once. */
    public static final String GATE = "/gate";

    /** Below a latch: the claims that wait for zero. */
    public static final String WAITERS = "/waiters";

    /** What is below a semaphore or a latch. */
    public static final Set<String> PARTS = Set.of(LOCKS, LEASES, CAPACITY, COUNT, GATE, WAITERS);

    private final String base;

    /** @param base an absolute path; empty for the root */
    public Paths(String base) {
        this.base = base;
    }

    /** The parent of all locks. */
    public String base() {
        return base.isEmpty() ? "/" : base;
    }

    /** The node of a lock. */
    public String of(LockId id) {
        return base + '/' + NameEncoding.encode(id.name());
    }

    /** The parents of the nodes of claims of this lock. */
    public List<String> ofClaims(LockId id) {
        String path = of(id);
        return switch (id.kind()) {
            case LOCK, READ_WRITE -> List.of(path);
            case SEMAPHORE -> List.of(path + LEASES, path + LOCKS);
            case LATCH -> List.of(path + WAITERS);
        };
    }

    /** The mark of an owner whose claim was released by force. */
    public String forced(OwnerId owner) {
        return base + "/%forced/" + NameEncoding.encode(owner.value());
    }

    /** The parent of a path. */
    public static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    /** The last part of a path. */
    public static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
