package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestFiles;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.store.ClaimModelContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;

/** SQLite behaves like the model of claims that are in order. */
class SqliteClaimModelTest extends ClaimModelContract {

    private static final Path DIRECTORY = TestFiles.directory();
    private static final Path FILE = DIRECTORY.resolve("model.db");

    @AfterAll
    static void removeFiles() {
        TestFiles.delete(DIRECTORY);
    }

    @Override
    protected LockStore openStore() {
        return JdbcStore.sqlite(FILE);
    }

    @Override
    protected int steps() {
        return Effort.pick(1_000, 50_000);
    }
}
