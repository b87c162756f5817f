package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.ReadWriteLockContract;
import org.junit.jupiter.api.Tag;

/** Read/write locks on H2. */
@Tag("long")
class H2ReadWriteLockContractTest extends ReadWriteLockContract {

    private static final TestPool POOL = new TestPool("jdbc:h2:mem:H2ReadWriteLockContractTest;DB_CLOSE_DELAY=-1");

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }
}
