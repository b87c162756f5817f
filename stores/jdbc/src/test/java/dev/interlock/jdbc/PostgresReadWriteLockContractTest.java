package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.ReadWriteLockContract;
import dev.interlock.testkit.server.PostgresServer;
import org.junit.jupiter.api.Tag;

/** Read/write locks on PostgreSQL. */
@Tag("wide")
class PostgresReadWriteLockContractTest extends ReadWriteLockContract {

    private static final TestPool POOL = new TestPool(PostgresServer.shared().newDatabase());

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }
}
