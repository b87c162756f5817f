package dev.interlock.zookeeper;

import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;

/** Where things are, below the base path of the store. */
final class Paths {

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
