package dev.interlock.testkit.memory;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.LockStoreContract;
import org.junit.jupiter.api.AfterAll;

/** The in-memory store keeps the contract of the six verbs. */
class MemoryStoreContractTest extends LockStoreContract {

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
