package dev.interlock.jdbc;

import dev.interlock.jdbc.connection.ServerUri;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.idle.IdleCostContract;
import dev.interlock.testkit.contract.idle.Prices;
import dev.interlock.testkit.server.PostgresServer;
import java.time.Duration;

/** Idle costs on PostgreSQL. */
class PostgresIdleTest extends IdleCostContract {

    private static final String URL = PostgresServer.shared().newDatabase();

    @Override
    protected int serverPort() {
        return PostgresServer.shared().port();
    }

    @Override
    protected LockStore openStore(int port) {
        return JdbcStore.at(ServerUri.parse(URL.replace(":" + serverPort() + "/", ":" + port + "/")));
    }

    /**
     * A claim with a place, which lasts for 5 s, asks four times in that. A poll is a read; each second one is followed
     * by a transaction of four messages that prolongs the place. The listener sends nothing.
     */
    @Override
    protected Prices prices() {
        return new Prices(Duration.ofMillis(1_250), 3, 1, 1, 0);
    }
}
