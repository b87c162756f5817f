package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.recipe.RecipeTable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The table of recipes on H2. */
@Tag("wide")
@Tag(Effort.SCALED)
@Tag(Effort.MINUTES)
class H2RecipesTest extends RecipeTable {

    private static final TestPool POOL = new TestPool("jdbc:h2:mem:H2RecipesTest;DB_CLOSE_DELAY=-1");

    @BeforeAll
    static void fillPool() {
        POOL.filled();
    }

    @AfterAll
    static void closePool() {
        POOL.close();
    }

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }
}
