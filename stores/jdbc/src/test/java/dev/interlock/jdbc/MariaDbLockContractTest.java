package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.DistributedLockContract;
import dev.interlock.testkit.server.MariaDbServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Locks on MariaDB keep the contract of locks. */
@Tag("server")
@Tag("long")
class MariaDbLockContractTest extends DistributedLockContract {

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

    @Override
    protected boolean wakes() {
        return false;
    }

    /** Each acquisition is a transaction of several statements. */
    @Override
    protected int scale() {
        return 2_000;
    }
}
