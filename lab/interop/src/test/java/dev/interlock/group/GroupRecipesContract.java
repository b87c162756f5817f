package dev.interlock.group;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockAdministration;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.contract.form.BlockingForm;
import dev.interlock.testkit.contract.form.Form;
import dev.interlock.testkit.contract.form.FormBody;
import dev.interlock.testkit.contract.form.LeaseObstacle;
import dev.interlock.testkit.contract.form.Site;
import dev.interlock.testkit.contract.recipe.LeaseForm;
import dev.interlock.testkit.contract.recipe.LeaseStageForm;
import dev.interlock.testkit.contract.recipe.RecipeTable;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The table of recipes over groups of locks and over upgrades, whatever the store. */
abstract class GroupRecipesContract extends RecipeTable {

    private static final Duration LONG = Duration.ofHours(1);

    @Override
    protected Map<String, Form> forms() {
        return Map.of("group", new GroupForm(), "group as a stage", new GroupStageForm(), "upgrade", new UpgradeForm());
    }

    /** Another caller may hold the second one: then the first is held, and the third is not asked for. */
    private static DistributedLock group(Interlock client, String name) {
        return MultiLock.of(client.lock(name + "-"), client.lock(name), client.lock(name + "-z"));
    }

    private static final class GroupForm extends LeaseForm {
        @Override
        protected @Nullable Lease acquire(Interlock client, String name, Wait wait) throws InterruptedException {
            DistributedLock group = group(client, name);
            return wait == Wait.NONE ? group.tryAcquire().orElse(null) : group.acquire();
        }
    }

    private static final class GroupStageForm extends LeaseStageForm {
        @Override
        protected CompletionStage<Optional<Lease>> acquire(Interlock client, String name, Wait wait) {
            return group(client, name).tryAcquireAsync(wait == Wait.NONE ? Duration.ZERO : LONG);
        }
    }

    /** A body under the write lock of one who was an upgradable holder. */
    private static final class UpgradeForm extends BlockingForm {

        @Override
        public Site site(Interlock other, String name) {
            return new UpgradeSite(
                    UpgradableReadWriteLock.of(other, name),
                    other.readWriteLock(name + UpgradableReadWriteLock.READERS).writeLock(),
                    other.administration());
        }

        @Override
        public Map<Day, String> refused() {
            return Map.of(Day.CLOSING, LeaseForm.ENDS_WITH_CLIENT);
        }

        @Override
        protected @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
            UpgradableReadWriteLock lock = UpgradableReadWriteLock.of(client, name);
            try (Lease upgradable = lock.upgradableLock().acquire()) {
                Optional<Lease> write = wait == Wait.NONE
                        ? lock.tryUpgrade(upgradable, Duration.ZERO)
                        : Optional.of(lock.upgrade(upgradable));
                return write.isEmpty() ? null : LeaseForm.run(write.get(), body);
            }
        }
    }

    /**
     * What an upgrade waits for: the readers.
     *
     * @param write the side of the readers' lock that only a writer has
     */
    private record UpgradeSite(UpgradableReadWriteLock lock, DistributedLock write, LockAdministration administration)
            implements Site {

        @Override
        public Obstacle occupy() throws InterruptedException {
            return new LeaseObstacle(lock.readLock().acquire());
        }

        @Override
        public boolean isHeld() {
            return write.inspect().holders().stream().anyMatch(holder -> holder.mode() instanceof Mode.Exclusive);
        }

        @Override
        public boolean isWaitedFor() {
            return !lock.inspect().waiters().isEmpty();
        }

        @Override
        public void takeAway() {
            administration.forceUnlock(write.name());
        }
    }
}
