package dev.interlock.jdbc;

import dev.interlock.jdbc.connection.ServerUri;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.idle.IdleCostContract;
import dev.interlock.testkit.contract.idle.Prices;
import dev.interlock.testkit.server.MariaDbServer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** Idle costs on MariaDB, where claims poll. */
@Tag("wide")
@Tag("server")
class MariaDbIdleTest extends IdleCostContract {

    private static final String DATABASE = MariaDbServer.shared().createDatabase();

    @Override
    protected int serverPort() {
        return MariaDbServer.shared().port();
    }

    @Override
    protected LockStore openStore(int port) {
        return JdbcStore.at(ServerUri.parse(MariaDbServer.shared().urlAt(port, DATABASE)));
    }

    /**
     * The first in a line polls each 25 ms at most, a quarter earlier or later at random, by one read. A transaction of
     * five messages prolongs its place each 2.5 s.
     */
    @Override
    protected Prices prices() {
        return new Prices(Duration.ofMillis(18), 1, 1, 1, 2);
    }
}
