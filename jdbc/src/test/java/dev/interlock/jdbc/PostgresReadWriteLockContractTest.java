package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.ReadWriteLockContract;
import dev.interlock.testkit.server.PostgresServer;

/** Read/write locks on PostgreSQL. */
class PostgresReadWriteLockContractTest extends ReadWriteLockContract {

    private static final TestPool POOL = new TestPool(PostgresServer.shared().newDatabase());

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }
}
