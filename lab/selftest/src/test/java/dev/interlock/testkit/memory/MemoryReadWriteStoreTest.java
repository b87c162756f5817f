package dev.interlock.testkit.memory;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.ReadWriteStoreContract;
import org.junit.jupiter.api.AfterAll;

/** The in-memory store keeps the contract of read/write claims. */
class MemoryReadWriteStoreTest extends ReadWriteStoreContract {

    private static final MemoryStore SHARED = new MemoryStore();

    @AfterAll
    static void closeStore() {
        SHARED.close();
    }

    @Override
    protected LockStore openStore() {
        return SHARED.session();
    }
}
