package dev.interlock.testkit.memory;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.lock.DistributedLockContract;
import dev.interlock.testkit.contract.lock.RevocationContract;
import org.junit.jupiter.api.AfterAll;

/** Locks over the in-memory store keep the contract of locks, inside one process. */
class MemoryLockContractTest extends DistributedLockContract implements RevocationContract {

    private static final MemoryStore SHARED = new MemoryStore();

    @AfterAll
    static void closeStore() {
        SHARED.close();
    }

    @Override
    protected LockStore openStore() {
        return SHARED.session();
    }

    @Override
    public int namesUsedOnce() {
        return Effort.pick(storeScale(), 10_000_000);
    }
}
