package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.LeastRights;
import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.PollingStoreContract;
import org.junit.jupiter.api.Tag;

/** The SQL store on MariaDB keeps the contract of the six verbs, for a user with the least rights (P28). */
@Tag("server")
@Tag("wide")
class MariaDbContractTest extends PollingStoreContract {

    private static final TestPool POOL = new TestPool(LeastRights.onMariaDb().url());

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }
}
