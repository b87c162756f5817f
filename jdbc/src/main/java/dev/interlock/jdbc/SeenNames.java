package dev.interlock.jdbc;

import dev.interlock.spi.LockId;
import java.util.LinkedHashMap;
import java.util.Map;

/** The names of which a client has seen a row lately: so many that those that it uses again and again are among them. Confined to the worker's thread. */
final class SeenNames {

    private static final int MOST = 1_000;

    private final Map<LockId, Boolean> latest = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LockId, Boolean> eldest) {
            return size() > MOST;
        }
    };

    /** Whether it was seen before; from now on it is, since whoever asks also makes the row. */
    boolean add(LockId id) {
        return latest.put(id, true) != null;
    }
}
