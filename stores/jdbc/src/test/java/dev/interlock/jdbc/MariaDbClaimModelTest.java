package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.store.ClaimModelContract;
import dev.interlock.testkit.server.MariaDbServer;
import org.junit.jupiter.api.Tag;

/** MariaDB behaves like the model of claims that are in order. */
@Tag("server")
@Tag("wide")
class MariaDbClaimModelTest extends ClaimModelContract {

    private static final TestPool POOL =
            new TestPool(MariaDbServer.shared().url(MariaDbServer.shared().createDatabase()));

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
