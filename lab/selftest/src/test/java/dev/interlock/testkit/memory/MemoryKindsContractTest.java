package dev.interlock.testkit.memory;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.kind.KindsContract;
import org.junit.jupiter.api.AfterAll;

class MemoryKindsContractTest extends KindsContract {

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
