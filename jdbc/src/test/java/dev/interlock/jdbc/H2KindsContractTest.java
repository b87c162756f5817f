package dev.interlock.jdbc;

import dev.interlock.spi.LockStore;
import org.junit.jupiter.api.Tag;

/** Every kind of lock on H2. */
@Tag("long")
class H2KindsContractTest extends PollingKindsContract {

    private static final TestPool POOL = new TestPool("jdbc:h2:mem:H2KindsContractTest;DB_CLOSE_DELAY=-1");

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }
}
