package dev.interlock.shedlock;

import dev.interlock.jdbc.JdbcStore;
import dev.interlock.spi.LockStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The provider on SQLite. */
class SqliteProviderTest extends LeavingProviderContract {

    @TempDir
    static Path directory;

    @Override
    LockStore openStore() {
        return JdbcStore.sqlite(directory.resolve("locks.db"));
    }
}
