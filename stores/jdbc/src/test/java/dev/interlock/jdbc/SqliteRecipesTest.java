package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestFiles;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.recipe.RecipeTable;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** The table of recipes on SQLite. */
@Tag("wide")
@Tag(Effort.SCALED)
@Tag(Effort.MINUTES)
class SqliteRecipesTest extends RecipeTable {

    private static final Path DIRECTORY = TestFiles.directory();
    private static final Path FILE = DIRECTORY.resolve("recipes.db");

    @AfterAll
    static void removeFiles() {
        TestFiles.delete(DIRECTORY);
    }

    @Override
    protected LockStore openStore() {
        return JdbcStore.sqlite(FILE);
    }
}
