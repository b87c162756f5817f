package dev.interlock.testkit.contract.store;

import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.fixture.StoreClient;
import dev.interlock.testkit.fixture.StoreClients;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * P17: random walks over the verbs, in which the store and a plain model of the rule must agree after each step on who
 * holds, who waits in what order, whose fence is whose, and who is woken. A store's test inherits this class, and says
 * how a client of the store is opened.
 *
 * <p>Each walk is of a few hundred steps on a name of its own, and prints the seed of the one that fails. How many
 * steps are taken for each kind says the store's test, or the system property {@value #STEPS}. In a store whose clock
 * the test cannot move, a walk whose last answer came seconds after its begin says nothing, and is taken once more.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class ClaimModelContract {

    private static final String STEPS = "interlock.walk.steps";

    /** Far below the time after which a waiting claim loses its place. */
    private static final Duration STILL = Duration.ofSeconds(3);

    // Only tests open stores, and they run after all constructors.
    @SuppressWarnings("this-escape")
    private final StoreClients clients =
            new StoreClients(this::openStore, () -> new StoreClient.Waiting(true, wakes()));

    /** Opens another client of the same shared data, as another process would. The suite closes it. */
    protected abstract LockStore openStore();

    /** Whether the store wakes who waits. */
    protected boolean wakes() {
        return true;
    }

    /**
     * Whether a claim that waits holds from the moment when it is its turn, before it has asked again; then the fences
     * of claims that hold together are in the order of arrival.
     */
    protected boolean turnsHold() {
        return false;
    }

    /**
     * Whether the release of a fair lock grants it to the claim that has waited longest, before that has asked again.
     */
    protected boolean releaseGrants() {
        return false;
    }

    /** Lets time pass in the store; null if a test cannot, as by default. */
    protected @Nullable Consumer<Duration> timePasses() {
        return null;
    }

    /** How many steps for each kind. */
    protected int steps() {
        return Effort.pick(1_000, 100_000);
    }

    /** How many steps in each walk. */
    protected int stepsOfAWalk() {
        return 100;
    }

    @Tag(Effort.SCALED)
    @Test
    final void P17_readWrite_asTheModel() {
        walk(LockKind.READ_WRITE, random -> random.nextInt(3) == 0 ? Mode.fair() : Mode.shared());
    }

    @Tag(Effort.SCALED)
    @Test
    final void P17_fairLock_asTheModel() {
        walk(LockKind.LOCK, random -> Mode.fair());
    }

    @Tag(Effort.SCALED)
    @Test
    final void P17_semaphore_asTheModel() {
        walk(LockKind.SEMAPHORE, random -> new Mode.Permits(1 + random.nextInt(5), 5));
    }

    @AfterEach
    final void closeClients() {
        clients.closeAll();
    }

    private void walk(LockKind kind, Function<Random, Mode> modes) {
        List<StoreClient> three = List.of(clients.open(), clients.open(), clients.open());
        three.forEach(client -> client.getHeard(clients.lock()));
        int steps = Integer.getInteger(STEPS, steps());
        for (int done = 0; done < steps; ) {
            if (isTaken(three, kind, modes, System.nanoTime())) {
                done += stepsOfAWalk();
            }
        }
    }

    /** Whether the walk could be taken; it throws if the store and the model disagree. */
    private boolean isTaken(List<StoreClient> three, LockKind kind, Function<Random, Mode> modes, long seed) {
        LockId id = new LockId(clients.unique("model:"), kind);
        Consumer<Duration> clock = timePasses();
        ClaimWalk walk = new ClaimWalk(
                three, new Wakes(wakes(), true), turnsHold(), releaseGrants(), id, modes, new Random(seed), clock);
        long from = System.nanoTime();
        try {
            walk.run(stepsOfAWalk());
            return true;
        } catch (AssertionError | RuntimeException e) {
            if (clock == null && walk.answeredNanos() - from > STILL.toNanos()) {
                return false;
            }
            throw new AssertionError("seed=" + seed + ": " + e.getMessage(), e);
        }
    }
}
