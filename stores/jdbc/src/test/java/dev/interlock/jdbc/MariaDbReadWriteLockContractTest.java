package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.ReadWriteLockContract;
import dev.interlock.testkit.server.MariaDbServer;
import org.junit.jupiter.api.Tag;

/** Read/write locks on MariaDB. */
@Tag("server")
@Tag("long")
class MariaDbReadWriteLockContractTest extends ReadWriteLockContract {

    private static final TestPool POOL =
            new TestPool(MariaDbServer.shared().url(MariaDbServer.shared().createDatabase()));

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }
}
