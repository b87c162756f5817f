package dev.interlock.testkit.memory;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.ReadWriteLockContract;
import org.junit.jupiter.api.AfterAll;

/** Read/write locks over the in-memory store keep their contract. */
class MemoryReadWriteLockTest extends ReadWriteLockContract {

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
    protected int scale() {
        return 20_000;
    }
}
