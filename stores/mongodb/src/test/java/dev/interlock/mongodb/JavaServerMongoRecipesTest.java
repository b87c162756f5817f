package dev.interlock.mongodb;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.recipe.RecipeTable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The table of recipes. On mongo-java-server, not MongoDB, unless told otherwise. */
@Tag("wide")
@Tag(Effort.SCALED)
@Tag(Effort.MINUTES)
class JavaServerMongoRecipesTest extends RecipeTable {

    private static TestMongo mongo;

    @BeforeAll
    static void start() {
        mongo = TestMongo.start();
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }

    @Override
    protected LockStore openStore() {
        return MongoStore.over(mongo.client(), mongo.database());
    }
}
