package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.ReadWriteStoreContract;

/** Claims of read/write locks on H2. */
class H2ReadWriteStoreContractTest extends ReadWriteStoreContract {

    private static final TestPool POOL = new TestPool("jdbc:h2:mem:H2ReadWriteStoreContractTest;DB_CLOSE_DELAY=-1");

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }

    @Override
    protected boolean wakes() {
        return false;
    }
}
