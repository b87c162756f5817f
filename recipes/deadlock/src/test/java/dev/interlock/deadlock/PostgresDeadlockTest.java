package dev.interlock.deadlock;

import dev.interlock.jdbc.JdbcStoreProvider;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.PostgresServer;
import org.junit.jupiter.api.Tag;

/** Deadlocks between clients of one PostgreSQL database. */
@Tag("long")
class PostgresDeadlockTest extends DeadlockContract {

    private static final String URL = PostgresServer.shared().newDatabase();

    @Override
    LockStore openStore() {
        return new JdbcStoreProvider().create(URL);
    }
}
