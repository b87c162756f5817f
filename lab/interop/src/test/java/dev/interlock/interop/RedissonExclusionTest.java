package dev.interlock.interop;

import dev.interlock.LockOptions;
import dev.interlock.testkit.Effort;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** Two clients of ours and two of Redisson on one name (I2): never two inside, and everybody gets a share. */
@Tag("some")
@Tag(Effort.SCALED)
@Tag("wide")
class RedissonExclusionTest {

    private static final int ACQUISITIONS = Effort.pick(5_000, 20_000);
    private static final int FEWER = Effort.pick(1_000, 20_000);

    private final Clients clients = new Clients();

    @AfterEach
    void close() {
        clients.close();
    }

    @Test
    void twoOfEachExcludeEachOtherAndNobodyStarves() {
        competition(
                        ACQUISITIONS,
                        Competition.Habit.PLAIN,
                        LockOptions.defaults(),
                        name -> client -> client.getLock(name))
                .runFairly();
    }

    @Test
    void nonReentrantLocks_excludeEachOther() {
        competition(
                        FEWER,
                        Competition.Habit.PLAIN,
                        LockOptions.builder().reentrant(false).build(),
                        name -> client -> client.getNonReentrantLock(name))
                .run();
    }

    /** Redisson's spin lock listens to nobody: it has no share that could be promised. */
    @Test
    void spinLocksOfRedisson_excludeOurs() {
        competition(FEWER, Competition.Habit.PLAIN, LockOptions.defaults(), name -> client -> client.getSpinLock(name))
                .run();
    }

    /** Locks that are locked again while they are held, and leases that nobody ends before their time. */
    @Test
    void nestedAndForgottenHolds_excludeEachOther() {
        competition(FEWER, Competition.Habit.CARELESS, LockOptions.defaults(), name -> client -> client.getLock(name))
                .run();
    }

    private Competition competition(
            int acquisitions,
            Competition.Habit habit,
            LockOptions ours,
            Function<String, Function<RedissonClient, RLock>> theirs) {
        String name = "interop:shared";
        Function<RedissonClient, RLock> lock = theirs.apply(name);
        return new Competition(
                acquisitions,
                habit,
                List.of(
                        new Competitor.Ours(clients.interlock(true).lock(name, ours)),
                        new Competitor.Theirs(lock.apply(clients.redisson())),
                        new Competitor.Ours(clients.interlock(true).lock(name, ours)),
                        new Competitor.Theirs(lock.apply(clients.redisson()))));
    }
}
