package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.PollingStoreContract;
import dev.interlock.testkit.server.MariaDbServer;

/** The SQL store on MariaDB keeps the contract of the five verbs. */
class MariaDbContractTest extends PollingStoreContract {

    private static final TestPool POOL =
            new TestPool(MariaDbServer.shared().url(MariaDbServer.shared().createDatabase()));

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }
}
