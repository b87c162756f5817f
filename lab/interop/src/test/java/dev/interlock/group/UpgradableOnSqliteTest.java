package dev.interlock.group;

import dev.interlock.jdbc.JdbcStore;
import dev.interlock.spi.LockStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The upgradable lock on one SQLite file. */
class UpgradableOnSqliteTest extends UpgradableContract {

    @TempDir
    private Path directory;

    @Override
    LockStore openStore() {
        return JdbcStore.sqlite(directory.resolve("upgradable.db"));
    }
}
