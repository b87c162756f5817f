package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Every kind of lock on H2. */
@Tag("long")
class H2KindsContractTest extends PollingKindsContract {

    private static final TestPool POOL = new TestPool("jdbc:h2:mem:H2KindsContractTest;DB_CLOSE_DELAY=-1");

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
