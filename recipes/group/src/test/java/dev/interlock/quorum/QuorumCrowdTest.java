package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.history.HistoryChecker;
import dev.interlock.testkit.store.FlakyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many clients that want one lock over a majority of stores (I2, I3). */
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QuorumCrowdTest {

    private static final int CLIENTS = 5;

    /** A guard against hanging only: the long form takes minutes. */
    private static final Duration LOOP = Duration.ofMinutes(14);

    @Tag(Effort.SCALED)
    @Test
    void P19_manyClients_holdOneAfterTheOther_andAllFinish() throws Exception {
        crowd(3, FlakyStore.Rates.NONE, Effort.pick(40, 2_000));
    }

    /** One of five loses a third of its answers, and another is late. */
    @Tag(Effort.SCALED)
    @Test
    void P19_manyClients_withStoresThatLoseAnswers_neverHoldTogether() throws Exception {
        FlakyStore.Rates bad = FlakyStore.Rates.NONE.withDroppedReplies(0.3).withLostWakes(0.3);
        crowd(5, bad, Effort.pick(6, 300));
    }

    private static void crowd(int stores, FlakyStore.Rates rates, int rounds) throws Exception {
        HistoryChecker history = new HistoryChecker();
        List<Interlock> clients = new ArrayList<>();
        List<FlakyStore> flaky = new ArrayList<>();
        try (MemoryNodes nodes = MemoryNodes.of(stores)) {
            for (int i = 0; i < CLIENTS; i++) {
                int seed = i;
                List<LockStore> sessions = new ArrayList<>(nodes.sessions(store -> store));
                FlakyStore first = new FlakyStore(sessions.get(0), seed, rates);
                sessions.set(0, first);
                flaky.add(first);
                clients.add(Interlock.builder(QuorumStore.over(sessions, Duration.ofMillis(50)))
                        .build());
            }
            List<Caller<Boolean>> callers = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Interlock client = clients.get(i);
                String owner = "client-" + i;
                callers.add(Caller.startAction(() -> hold(client, owner, history, rounds)));
            }
            callers.forEach(caller -> assertThat(caller.result(LOOP)).isTrue());
            assertThat(history.size()).isEqualTo(CLIENTS * rounds);
            history.check();
            if (rates.dropReplies() > 0) {
                assertThat(flaky.stream().mapToLong(FlakyStore::droppedReplies).sum())
                        .isPositive();
            }
            clients.forEach(Interlock::close);
        }
    }

    private static void hold(Interlock client, String owner, HistoryChecker history, int rounds)
            throws InterruptedException {
        for (int round = 0; round < rounds; round++) {
            try (Lease lease = client.lock("crowded").acquire(LeaseTerm.renewing(Duration.ofMinutes(1)))) {
                long begin = System.nanoTime();
                history.addUntilNow("crowded", owner, lease.token(), begin);
            }
        }
    }
}
