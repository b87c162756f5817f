package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.Rows;
import dev.interlock.jdbc.fixture.TestFiles;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.lock.DistributedLockContract;
import dev.interlock.testkit.contract.lock.ManyProcessesContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Locks on SQLite keep the contract of locks. Every client has a connection of its own to one file; so do other
 * processes.
 */
@Tag("some")
class SqliteLockContractTest extends DistributedLockContract implements ManyProcessesContract {

    private static final Path DIRECTORY = TestFiles.directory();
    private static final Path FILE = DIRECTORY.resolve("locks.db");

    @SuppressWarnings("NullAway.Init")
    private static Connection keeper;

    /**
     * Keeps a connection open: the last one to be closed writes the log back and removes it, which must not happen
     * between two tests, whose first attempts have little time.
     */
    @BeforeAll
    static void keepOpen() throws SQLException {
        try (Client client = new Client(FILE)) {
            client.release(client.hold("keeper"));
            keeper = new Rows(FILE).connect();
            try (Statement read = keeper.createStatement()) {
                read.execute("SELECT 1 FROM interlock_fence");
            }
        }
    }

    @AfterAll
    static void removeFiles() throws SQLException {
        keeper.close();
        TestFiles.delete(DIRECTORY);
    }

    @Override
    protected LockStore openStore() {
        return JdbcStore.sqlite(FILE);
    }

    @Override
    public String storeUri() {
        return "sqlite:" + FILE;
    }

    /** Each acquisition is a commit to a file: fewer in the default build. */
    @Override
    protected int scale() {
        return Effort.pick(3_000, 10_000);
    }
}
