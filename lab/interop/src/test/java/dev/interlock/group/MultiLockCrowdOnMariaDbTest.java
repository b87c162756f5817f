package dev.interlock.group;

import dev.interlock.jdbc.JdbcStoreProvider;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.MariaDbServer;
import org.junit.jupiter.api.Tag;

/** A crowd on MariaDB, where those who wait poll, in as many clients as a server has connections for. */
@Tag("wide")
class MultiLockCrowdOnMariaDbTest extends MultiLockCrowdContract {

    private final String url = MariaDbServer.shared().url(MariaDbServer.shared().createDatabase());

    @Override
    LockStore openStore() {
        return new JdbcStoreProvider().create(url);
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
