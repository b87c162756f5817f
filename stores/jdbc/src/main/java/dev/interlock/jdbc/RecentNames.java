package dev.interlock.jdbc;

import dev.interlock.spi.LockId;

/**
 * A set of names that remembers some thousands of the latest ones, each by its hash, so that long names take no more
 * memory than short ones. Its answers are hints: a name may displace another one, or be taken for another one. For the
 * thread that has the session lock.
 */
final class RecentNames {

    private static final int SLOTS = 4_096;

    /** Each hash has one slot only; 0 marks an empty slot. */
    private final int[] hashes = new int[SLOTS];

    /** Adds the name; returns whether the set contained it before. */
    boolean add(LockId id) {
        boolean before = contains(id);
        set(id, true);
        return before;
    }

    boolean contains(LockId id) {
        int hash = hash(id);
        return hashes[slot(hash)] == hash;
    }

    void set(LockId id, boolean seen) {
        int hash = hash(id);
        if (seen) {
            hashes[slot(hash)] = hash;
        } else if (hashes[slot(hash)] == hash) {
            hashes[slot(hash)] = 0;
        }
    }

    private static int hash(LockId id) {
        int hash = id.hashCode();
        return hash == 0 ? 1 : hash;
    }

    private static int slot(int hash) {
        return (hash ^ hash >>> 16) & (SLOTS - 1);
    }
}
