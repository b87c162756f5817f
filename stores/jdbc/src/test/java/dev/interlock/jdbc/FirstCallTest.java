package dev.interlock.jdbc;

import dev.interlock.testkit.Effort;
import dev.interlock.testkit.process.FirstCall;
import dev.interlock.testkit.server.MariaDbServer;
import dev.interlock.testkit.server.PostgresServer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process whose first call of anything is {@code tryLock()}, on a busy machine. */
@Tag(Effort.TIMING)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FirstCallTest {

    @Test
    void firstTryLock_isGranted_onPostgres() throws Exception {
        FirstCall.assertGranted(PostgresServer.shared().newDatabase());
    }

    @Test
    void firstTryLock_isGranted_onMariaDb() throws Exception {
        MariaDbServer server = MariaDbServer.shared();
        FirstCall.assertGranted(server.url(server.createDatabase()));
    }

    @Test
    void firstTryLock_isGranted_onSqlite(@TempDir Path folder) throws Exception {
        FirstCall.assertGranted("sqlite:" + folder.resolve("locks.db"));
    }
}
