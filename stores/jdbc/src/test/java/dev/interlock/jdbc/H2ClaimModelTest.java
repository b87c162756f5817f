package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.store.ClaimModelContract;
import org.junit.jupiter.api.Tag;

/** H2 behaves like the model of claims that are in order. */
@Tag("wide")
class H2ClaimModelTest extends ClaimModelContract {

    private static final TestPool POOL = new TestPool("jdbc:h2:mem:H2ClaimModelTest;DB_CLOSE_DELAY=-1");

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }

    @Override
    protected boolean wakes() {
        return false;
    }

    @Override
    protected int steps() {
        return Effort.pick(300, 20_000);
    }
}
