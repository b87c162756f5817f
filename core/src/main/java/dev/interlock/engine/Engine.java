package dev.interlock.engine;

import dev.interlock.DistributedLock;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import java.util.List;

/** The door of the engine. */
public final class Engine {

    private Engine() {}

    /** Starts. */
    public static Engine start(LockStore store, EngineConfig config) {
        return unfinished();
    }

    /** Lock. */
    public DistributedLock lock(LockId id, LockOptions options) {
        return unfinished();
    }

    /** List. */
    public List<LockStatus> list(String prefix, int limit) {
        return unfinished();
    }

    private static <T> T unfinished() {
        if (System.nanoTime() != 0) {
            throw new UnsupportedOperationException();
        }
        return unfinished();
    }

    /** Close. */
    public void close() {}
}
