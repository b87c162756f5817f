package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.MariaDbServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Every kind of lock on MariaDB. */
@Tag("server")
@Tag("long")
class MariaDbKindsContractTest extends PollingKindsContract {

    private static final TestPool POOL =
            new TestPool(MariaDbServer.shared().url(MariaDbServer.shared().createDatabase()));

    /** A first connection takes longer than the shortest wait of the tests. */
    @BeforeAll
    static void fillPool() {
        POOL.filled();
    }

    @AfterAll
    static void closePool() {
        POOL.close();
    }

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }
}
