package dev.interlock.jdbc;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.KindsContract;
import dev.interlock.testkit.server.PostgresServer;

/** Every kind of lock on PostgreSQL. */
class PostgresKindsContractTest extends KindsContract {

    private static final TestPool POOL = new TestPool(PostgresServer.shared().newDatabase());

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }
}
