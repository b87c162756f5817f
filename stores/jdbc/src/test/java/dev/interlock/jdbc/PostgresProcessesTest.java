package dev.interlock.jdbc;

import dev.interlock.testkit.contract.lock.ManyProcessesContract;
import dev.interlock.testkit.server.PostgresServer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Several processes on one PostgreSQL. */
@Tag("long")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresProcessesTest implements ManyProcessesContract {

    private static final String URL = PostgresServer.shared().newDatabase();

    @Override
    public String storeUri() {
        return URL;
    }
}
