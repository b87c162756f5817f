package dev.interlock.jdbc;

import dev.interlock.spi.LockId;
import java.util.LinkedHashMap;
import java.util.Map;

/** The names that were used last of those of which a client has seen something: so many that those that it uses again and again are among them. For whoever has the turn of the {@link Worker}. */
final class SeenNames {

    private static final int MOST = 1_000;

    private final Map<LockId, Boolean> latest = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LockId, Boolean> eldest) {
            return size() > MOST;
        }
    };

    /** Notes it of this name; whether it was noted before. */
    boolean add(LockId id) {
        return latest.put(id, true) != null;
    }

    boolean contains(LockId id) {
        return latest.get(id) != null;
    }

    void set(LockId id, boolean seen) {
        if (seen) {
            latest.put(id, true);
        } else {
            latest.remove(id);
        }
    }
}
