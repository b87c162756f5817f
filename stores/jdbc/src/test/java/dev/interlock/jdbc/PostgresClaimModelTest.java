package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.store.ClaimModelContract;
import dev.interlock.testkit.server.PostgresServer;

/** PostgreSQL behaves like the model of claims that are in order. */
class PostgresClaimModelTest extends ClaimModelContract {

    private static final TestPool POOL = new TestPool(PostgresServer.shared().newDatabase());

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }

    @Override
    protected int steps() {
        return Effort.pick(300, 20_000);
    }
}
