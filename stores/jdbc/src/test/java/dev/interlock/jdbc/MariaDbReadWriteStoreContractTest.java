package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.ReadWriteStoreContract;
import dev.interlock.testkit.server.MariaDbServer;
import org.junit.jupiter.api.Tag;

/** Claims of read/write locks on MariaDB. */
@Tag("server")
@Tag("wide")
class MariaDbReadWriteStoreContractTest extends ReadWriteStoreContract {

    private static final TestPool POOL =
            new TestPool(MariaDbServer.shared().url(MariaDbServer.shared().createDatabase()));

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }

    @Override
    protected boolean wakes() {
        return false;
    }
}
