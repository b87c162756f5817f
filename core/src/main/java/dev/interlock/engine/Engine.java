package dev.interlock.engine;

import dev.interlock.DistributedLock;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import java.util.List;

/** The door of the engine. */
public interface Engine {

    /** An engine over this store. */
    @SuppressWarnings("DoNotCallSuggester")
    static Engine start(LockStore store, EngineConfig config) {
        throw new UnsupportedOperationException(store + " " + config);
    }

    /** A lock. */
    DistributedLock lock(LockId id, LockOptions options);

    /** Locks that are held. */
    List<LockStatus> list(String prefix, int limit);

    /** Ends it. */
    void close();
}
