package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestFiles;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.idle.IdleCostContract;
import dev.interlock.testkit.contract.idle.Prices;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** Idle costs on SQLite, whose clients wake each other by sockets. */
@Tag("wide")
class SqliteIdleTest extends IdleCostContract {

    private static final Path DIRECTORY = TestFiles.directory();
    private static final Path FILE = DIRECTORY.resolve("idle.db");

    @AfterAll
    static void removeFiles() {
        TestFiles.delete(DIRECTORY);
    }

    @Override
    protected int serverPort() {
        return 0;
    }

    @Override
    protected LockStore openStore(int port) {
        return JdbcStore.sqlite(FILE);
    }

    /** A claim with a place, which lasts for 5 s, asks four times in that. */
    @Override
    protected Prices prices() {
        return Prices.withoutServer(Duration.ofMillis(1_250));
    }
}
