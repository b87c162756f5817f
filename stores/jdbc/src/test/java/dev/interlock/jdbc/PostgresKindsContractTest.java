package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.kind.KindsContract;
import dev.interlock.testkit.server.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Every kind of lock on PostgreSQL. */
@Tag("long")
class PostgresKindsContractTest extends KindsContract {

    private static final TestPool POOL = new TestPool(PostgresServer.shared().newDatabase());

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
