package dev.interlock.quorum;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.store.LockStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** A majority of 5 stores keeps the contract of the six verbs. */
@Tag("long")
@Tag(Effort.SCALED)
class FiveStoresContractTest extends LockStoreContract {

    private static final MemoryNodes NODES = MemoryNodes.of(5);

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
