package dev.interlock.spring.tests;

import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LockOptions;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spring.LeaderElections;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.IdleCosts;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application that leads costs its renewals, and one that stands by what a waiting caller costs. */
@Tag(Effort.TIMING)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ElectionIdleTest {

    private static final String NAME = "office";

    /** A lease of 30 s is renewed four times in that at most. */
    private static final double RENEWALS = 4.0 / 30;

    /** A claim that waits asks each second, less a random part of up to a quarter. */
    private static final double POLLS = 4.0 / 3;

    private final IdleCosts costs = new IdleCosts();

    @Test
    void applicationsThatStand_costRenewalsOrPolls() throws Exception {
        try (MemoryStore store = new MemoryStore();
                Interlock leader = client(store, "an application that leads", RENEWALS);
                Interlock standby = client(store, "an application that stands by", POLLS)) {
            LeaderElections leads = elections(leader);
            leads.start();
            await().until(() -> leads.isLeader(NAME));
            LeaderElections waits = elections(standby);
            waits.start();
            await().until(() -> !leader.election(NAME).inspect().waiters().isEmpty());

            costs.measure();

            waits.stop();
            leads.stop();
        }
    }

    private Interlock client(MemoryStore store, String what, double mostASecond) {
        return Interlock.builder(costs.expect(what, mostASecond, new CountingStore(store.session())))
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .build();
    }

    private static LeaderElections elections(Interlock client) {
        return new LeaderElections(
                () -> client, name -> LockOptions.defaults(), () -> List.of(NAME), event -> {}, 0, null);
    }
}
