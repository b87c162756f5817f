package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.recipe.RecipeTable;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The table of recipes on ZooKeeper. */
class ZooKeeperRecipesTest extends RecipeTable {

    @RegisterExtension
    private static final TestServer SERVER = TestServer.shared();

    @Override
    protected LockStore openStore() {
        return ZooKeeperStore.over(SERVER.client());
    }
}
