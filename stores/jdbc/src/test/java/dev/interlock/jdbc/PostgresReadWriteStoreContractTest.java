package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.ReadWriteStoreContract;
import dev.interlock.testkit.server.PostgresServer;

/** Claims of read/write locks on PostgreSQL. */
class PostgresReadWriteStoreContractTest extends ReadWriteStoreContract {

    private static final TestPool POOL = new TestPool(PostgresServer.shared().newDatabase());

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }
}
