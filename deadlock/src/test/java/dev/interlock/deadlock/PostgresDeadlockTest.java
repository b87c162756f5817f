package dev.interlock.deadlock;

import dev.interlock.jdbc.JdbcStoreProvider;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.PostgresServer;

/** Deadlocks between clients of one PostgreSQL database. */
class PostgresDeadlockTest extends DeadlockContract {

    private static final String URL = PostgresServer.shared().newDatabase();

    @Override
    LockStore openStore() {
        return new JdbcStoreProvider().create(URL);
    }
}
