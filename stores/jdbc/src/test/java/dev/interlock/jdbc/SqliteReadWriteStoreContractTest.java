package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestFiles;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.ReadWriteStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;

/** Claims of read/write locks on SQLite. */
class SqliteReadWriteStoreContractTest extends ReadWriteStoreContract {

    private static final Path DIRECTORY = TestFiles.directory();
    private static final Path FILE = DIRECTORY.resolve("contract.db");

    @AfterAll
    static void removeFiles() {
        TestFiles.delete(DIRECTORY);
    }

    @Override
    protected LockStore openStore() {
        return JdbcStore.sqlite(FILE);
    }
}
