package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.LeastRights;
import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.LockStoreContract;
import org.junit.jupiter.api.Tag;

/** The SQL store on PostgreSQL keeps the contract of the six verbs, for a user with the least rights (P28). */
@Tag("drivers")
class PostgresContractTest extends LockStoreContract {

    private static final TestPool POOL = new TestPool(LeastRights.onPostgres().url());

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }
}
