package dev.interlock.testkit.memory;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.idle.IdleCostContract;
import dev.interlock.testkit.contract.idle.Prices;
import org.junit.jupiter.api.AfterAll;

/** Idle costs of the engine and of the recipes, on a store that costs nothing besides. */
class MemoryIdleTest extends IdleCostContract {

    private static final MemoryStore SHARED = new MemoryStore();

    @AfterAll
    static void closeStore() {
        SHARED.close();
    }

    @Override
    protected int serverPort() {
        return 0;
    }

    @Override
    protected LockStore openStore(int port) {
        return SHARED.session();
    }

    @Override
    protected Prices prices() {
        return Prices.withoutServer(Prices.woken(SHARED.pollCap()));
    }
}
