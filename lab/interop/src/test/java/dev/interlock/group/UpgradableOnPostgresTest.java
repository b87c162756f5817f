package dev.interlock.group;

import dev.interlock.jdbc.JdbcStoreProvider;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The upgradable lock on PostgreSQL. */
@Tag("wide")
class UpgradableOnPostgresTest extends UpgradableContract {

    private static PostgresServer server;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    LockStore openStore() {
        return new JdbcStoreProvider().create(server.url());
    }
}
