package dev.interlock.deadlock;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;

/** Deadlocks between clients of the store in memory. */
class MemoryDeadlockTest extends DeadlockContract {

    private final MemoryStore shared = new MemoryStore();

    @Override
    int fullRuns() {
        return 1000;
    }

    @Override
    LockStore openStore() {
        return shared.session();
    }
}
