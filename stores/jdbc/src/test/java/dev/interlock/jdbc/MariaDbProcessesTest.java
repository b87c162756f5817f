package dev.interlock.jdbc;

import dev.interlock.testkit.contract.lock.ManyProcessesContract;
import dev.interlock.testkit.server.MariaDbServer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Several processes on one MariaDB. */
@Tag("long")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MariaDbProcessesTest implements ManyProcessesContract {

    private static final String URL =
            MariaDbServer.shared().url(MariaDbServer.shared().createDatabase());

    @Override
    public String storeUri() {
        return URL;
    }
}
