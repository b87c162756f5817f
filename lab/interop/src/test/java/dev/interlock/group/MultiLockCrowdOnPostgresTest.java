package dev.interlock.group;

import dev.interlock.jdbc.JdbcStoreProvider;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** A crowd on PostgreSQL, in as many clients as a server has connections for. */
@Tag("wide")
class MultiLockCrowdOnPostgresTest extends MultiLockCrowdContract {

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

    @Override
    int clientCount() {
        return 20;
    }

    @Override
    int rounds() {
        return Effort.pick(1, 20);
    }
}
