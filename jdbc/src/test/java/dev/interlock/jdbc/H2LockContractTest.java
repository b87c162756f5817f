package dev.interlock.jdbc;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.DistributedLockContract;
import org.junit.jupiter.api.Tag;

/** Locks on H2 keep the contract of locks. */
@Tag("long")
class H2LockContractTest extends DistributedLockContract {

    private static final TestPool POOL = new TestPool("jdbc:h2:mem:H2LockContractTest;DB_CLOSE_DELAY=-1");

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }

    @Override
    protected boolean wakes() {
        return false;
    }

    /** Each acquisition is a transaction of some statements. */
    @Override
    protected int scale() {
        return 2_000;
    }
}
