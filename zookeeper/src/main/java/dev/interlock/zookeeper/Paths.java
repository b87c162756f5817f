package dev.interlock.zookeeper;

import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import java.util.List;

/** Where things are, below the base path of the store. */
final class Paths {

    /** Below a semaphore: who waits or is about to take. */
    static final String LOCKS = "/locks";

    /** Below a semaphore: the permits that are taken. */
    static final String LEASES = "/leases";

    /** Below a semaphore: the capacity that it was set to. */
    static final String CAPACITY = "/capacity";

    /** Below a latch: its count, as long as that is not zero. */
    static final String COUNT = "/count";

    /** Below a latch: goes with the count, and is not written to meanwhile. */
    static final String GATE = "/gate";

    /** Below a latch: who waits for zero. */
    static final String WAITERS = "/waiters";

    private final String base;

    /** @param base an absolute path; empty for the root */
    Paths(String base) {
        this.base = base;
    }

    /** The parent of all locks. */
    String base() {
        return base.isEmpty() ? "/" : base;
    }

    /** The node whose children take part in a lock. */
    String of(LockId id) {
        return child(Names.encode(id.name()));
    }

    /** Where nodes of claims of this lock may stand. */
    List<String> ofClaims(LockId id) {
        String path = of(id);
        return switch (id.kind()) {
            case LOCK, READ_WRITE -> List.of(path);
            case SEMAPHORE -> List.of(path + LEASES, path + LOCKS);
            case LATCH -> List.of(path + WAITERS);
        };
    }

    String child(String name) {
        return base + '/' + name;
    }

    /** The mark that the claim of this owner was ended by force. */
    String forced(OwnerId owner) {
        return base + "/%forced/" + Names.encode(owner.value());
    }

    /** The parent of a path; null is not possible, as the root is nobody's child. */
    static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
