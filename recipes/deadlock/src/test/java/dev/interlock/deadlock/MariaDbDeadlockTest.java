package dev.interlock.deadlock;

import dev.interlock.jdbc.JdbcStoreProvider;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.MariaDbServer;
import org.junit.jupiter.api.Tag;

/** Deadlocks between clients of one MariaDB database, where those who wait poll. */
@Tag("long")
class MariaDbDeadlockTest extends DeadlockContract {

    private final String url = MariaDbServer.shared().url(MariaDbServer.shared().createDatabase());

    @Override
    int shortRuns() {
        return 4;
    }

    @Override
    LockStore openStore() {
        return new JdbcStoreProvider().create(url);
    }
}
