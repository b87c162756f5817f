package dev.interlock.jdbc.session;

import dev.interlock.spi.LockId;

/**
 * The names of which a client has noted something lately: some thousands, each by its hash, so that long names take no
 * more than short ones. A hint: a name may be forgotten for the sake of another, or be taken for another that was
 * noted. For whoever has the turn of the {@link Worker}.
 */
public final class RecentNames {

    private static final int SLOTS = 4_096;

    /** Each in one place only; 0 for none. */
    private final int[] hashes = new int[SLOTS];

    /** Notes it of this name; whether it was noted before. */
    public boolean add(LockId id) {
        boolean before = contains(id);
        set(id, true);
        return before;
    }

    public boolean contains(LockId id) {
        int hash = hash(id);
        return hashes[slot(hash)] == hash;
    }

    public void set(LockId id, boolean seen) {
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
