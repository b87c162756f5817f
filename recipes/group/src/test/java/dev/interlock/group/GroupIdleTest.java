package dev.interlock.group;

import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.memory.MemoryStore;
import dev.interlock.quorum.QuorumStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.IdleCosts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What groups ask of their stores while nothing happens: the table of idle costs in docs/internals/design.md. */
@Tag(Effort.TIMING)
class GroupIdleTest {

    /** A claim that waits asks each second, less a random part of up to a quarter. */
    private static final double POLLS = 4.0 / 3;

    /** A lease of 3 s is renewed three or four times in that. */
    private static final double RENEWALS = 4.0 / 3;

    private final MemoryStore store = new MemoryStore();
    private final IdleCosts costs = new IdleCosts();
    private final List<Interlock> clients = new ArrayList<>();

    private Interlock client(LockStore of) {
        Interlock client = Interlock.builder(of)
                .pollCap(Duration.ofSeconds(1))
                .lockOptions(LockOptions.builder()
                        .lease(LeaseTerm.renewing(Duration.ofSeconds(3)))
                        .build())
                .build();
        clients.add(client);
        return client;
    }

    private Interlock client(String what, double mostASecond) {
        return client(costs.expect(what, mostASecond, new CountingStore(store.session())));
    }

    @AfterEach
    void close() {
        clients.forEach(Interlock::close);
    }

    @Test
    void groupsThatHoldAndWait_costWhatTheTableSays() throws Exception {
        var unusedGroup = group(client("two locks as one, held", RENEWALS)).acquire();
        var unusedWaiting = group(client("two locks as one, waited for", POLLS)).acquireAsync();

        Interlock upgradable = client("an upgradable lock, held", RENEWALS);
        var unusedUpgradable =
                UpgradableReadWriteLock.of(upgradable, "sides").upgradableLock().acquire();
        Interlock second = client("an upgradable lock, waited for", POLLS);
        var unusedSecond =
                UpgradableReadWriteLock.of(second, "sides").upgradableLock().acquireAsync();

        List<MemoryStore> nodes = List.of(new MemoryStore(), new MemoryStore(), new MemoryStore());
        var unusedHeld = client(quorum("a lock of a quorum, held", RENEWALS, nodes))
                .lock("q")
                .acquire();
        var unusedAwaited = client(quorum("a lock of a quorum, waited for", POLLS, nodes))
                .lock("q")
                .acquireAsync();
        await().until(() -> nodes.stream()
                .anyMatch(node ->
                        !client(node.session()).lock("q").inspect().waiters().isEmpty()));

        costs.measure();
    }

    private static DistributedLock group(Interlock client) {
        return MultiLock.of(client.lock("a"), client.lock("b"));
    }

    private LockStore quorum(String what, double mostASecond, List<MemoryStore> nodes) {
        List<LockStore> counted = new ArrayList<>();
        for (MemoryStore node : nodes) {
            counted.add(costs.expect(
                    what + ", at store " + counted.size(), mostASecond, new CountingStore(node.session())));
        }
        return QuorumStore.over(counted);
    }
}
