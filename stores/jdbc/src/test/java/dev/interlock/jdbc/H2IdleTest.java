package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.idle.IdleCostContract;
import dev.interlock.testkit.contract.idle.Prices;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/** Idle costs on a database where claims poll. */
class H2IdleTest extends IdleCostContract {

    private static final TestPool POOL = new TestPool("jdbc:h2:mem:H2IdleTest;DB_CLOSE_DELAY=-1");

    @AfterAll
    static void closePool() {
        POOL.close();
    }

    @Override
    protected int serverPort() {
        return 0;
    }

    @Override
    protected LockStore openStore(int port) {
        return JdbcStore.over(POOL.source());
    }

    /** The first in a line polls each 25 ms at most, a quarter earlier or later at random. */
    @Override
    protected Prices prices() {
        return Prices.withoutServer(Duration.ofMillis(18));
    }
}
