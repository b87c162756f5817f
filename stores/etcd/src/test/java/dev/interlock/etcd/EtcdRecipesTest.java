package dev.interlock.etcd;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.recipe.RecipeTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The table of recipes on etcd. */
@Tag("wide")
@Tag(Effort.SCALED)
@Tag(Effort.MINUTES)
class EtcdRecipesTest extends RecipeTable {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    @Override
    protected LockStore openStore() {
        return ETCD.over();
    }
}
