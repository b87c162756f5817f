package dev.interlock.testkit.engine;

import static org.awaitility.Awaitility.await;

import dev.interlock.Candidacy;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.barrier.DistributedBarrier;
import dev.interlock.memory.MemoryStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.IdleCosts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the recipes ask of a store while nothing happens: the table of idle costs in docs/internals/design.md. */
@Tag(Effort.TIMING)
class RecipeIdleTest {

    /** A claim that waits asks each second, less a random part of up to a quarter. */
    private static final double POLLS = 4.0 / 3;

    /** A lease of 3 s is renewed three or four times in that. */
    private static final double RENEWALS = 4.0 / 3;

    /** A party that looks each second: it waits anew, and inspects three names. */
    private static final double LOOKS = 8;

    private static final int WAITERS = 50;

    private final MemoryStore store = new MemoryStore();
    private final IdleCosts costs = new IdleCosts();
    private final List<Interlock> clients = new ArrayList<>();

    private Interlock client(String what, double mostASecond) {
        CountingStore counted = costs.expect(what, mostASecond, new CountingStore(store.session()));
        Interlock client = Interlock.builder(counted)
                .pollCap(Duration.ofSeconds(1))
                .lockOptions(LockOptions.builder()
                        .lease(LeaseTerm.renewing(Duration.ofSeconds(3)))
                        .build())
                .build();
        clients.add(client);
        return client;
    }

    @AfterEach
    void close() {
        clients.forEach(Interlock::close);
    }

    @Test
    void recipesThatWait_costWhatTheTableSays() throws Exception {
        Interlock other = client("who keeps them waiting", 10);
        other.latch("latch").trySetCount(1);
        other.semaphore("permits", 1).acquire();

        Candidacy leads = client("a leader", RENEWALS).election("office").join(RecipeIdleTest::lead);
        await().until(leads::isLeader);
        Candidacy waits = client("a candidate", POLLS).election("office").join(RecipeIdleTest::lead);
        await().until(() -> !other.election("office").inspect().waiters().isEmpty());
        Interlock latch = client("latch waiters of one client", POLLS);
        Interlock permits = client("semaphore waiters of one client", POLLS);
        for (int i = 0; i < WAITERS; i++) {
            var unusedZero = latch.latch("latch").awaitAsync();
            var unusedPermit = permits.semaphore("permits", 1).acquireAsync(1);
        }
        client("a client at rest", 0);
        Interlock first = client("the first party of a barrier", LOOKS);
        var unusedFirst = DistributedBarrier.of(first, "barrier", 3).awaitAsync();
        await().until(() -> DistributedBarrier.of(other, "barrier", 3).waiting() == 1);
        Interlock second = client("the second party of a barrier", LOOKS);
        var unusedSecond = DistributedBarrier.of(second, "barrier", 3).awaitAsync();
        await().until(() -> DistributedBarrier.of(other, "barrier", 3).waiting() == 2);

        costs.measure();

        leads.leave();
        waits.leave();
    }

    private static void lead(Lease leadership) throws InterruptedException {
        Thread.sleep(Patience.limit().toMillis());
    }
}
