package dev.interlock.quorum;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.LockStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** A majority of 3 stores keeps the contract of the six verbs. */
@Tag("wide")
class ThreeStoresContractTest extends LockStoreContract {

    private static final MemoryNodes NODES = MemoryNodes.of(3);

    @AfterAll
    static void closeStores() {
        NODES.close();
    }

    @Override
    protected LockStore openStore() {
        return NODES.quorum();
    }

    @Override
    public boolean wakesNobodyElse() {
        return false;
    }
}
