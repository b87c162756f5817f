package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.PollingStoreContract;
import org.junit.jupiter.api.Tag;

/** The SQL store on H2 keeps the contract of the six verbs. */
@Tag("wide")
class H2ContractTest extends PollingStoreContract {

    private static final TestPool POOL = new TestPool("jdbc:h2:mem:H2ContractTest;DB_CLOSE_DELAY=-1");

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }
}
