package dev.interlock.group;

import dev.interlock.jdbc.JdbcStore;
import dev.interlock.spi.LockStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The table of groups and upgrades on one SQLite file. */
class GroupRecipesOnSqliteTest extends GroupRecipesContract {

    @TempDir
    private Path directory;

    @Override
    protected LockStore openStore() {
        return JdbcStore.sqlite(directory.resolve("recipes.db"));
    }
}
