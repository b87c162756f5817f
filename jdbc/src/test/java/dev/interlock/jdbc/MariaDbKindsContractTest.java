package dev.interlock.jdbc;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.MariaDbServer;
import org.junit.jupiter.api.Tag;

/** Every kind of lock on MariaDB. */
@Tag("long")
class MariaDbKindsContractTest extends PollingKindsContract {

    private static final TestPool POOL =
            new TestPool(MariaDbServer.shared().url(MariaDbServer.shared().createDatabase()));

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }
}
