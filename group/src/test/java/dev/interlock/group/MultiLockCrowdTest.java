package dev.interlock.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.memory.MemoryStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.Caller;
import dev.interlock.testkit.history.HistoryChecker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many who want several locks at once: nobody waits for ever. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MultiLockCrowdTest {

    private static final int NAMES = 20;
    private static final int MEMBERS = 5;

    private final MemoryStore memory = new MemoryStore();
    private final List<Interlock> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(Interlock::close);
        memory.close();
    }

    private Interlock client() {
        Interlock client = Interlock.builder(memory.session()).build();
        clients.add(client);
        return client;
    }

    private static DistributedLock several(Interlock client, String... names) {
        return MultiLock.of(Arrays.stream(names).map(client::lock).toArray(DistributedLock[]::new));
    }

    /** 100 clients, random 5 of 20 names in random order: everybody finishes, each name has one holder at a time, nothing is left. */
    @Tag(Effort.SCALED)
    @Test
    void P18_aHundredClients_randomNamesInRandomOrder_allFinish() throws Exception {
        int rounds = Effort.pick(5, 200);
        List<String> names =
                IntStream.range(0, NAMES).mapToObj(i -> "name-" + i).toList();
        HistoryChecker history = new HistoryChecker();
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int number = 0; number < 100; number++) {
            Interlock client = client();
            Random random = new Random(number);
            String owner = "client-" + number;
            callers.add(Caller.startAction(() -> {
                for (int round = 0; round < rounds; round++) {
                    List<String> mine = new ArrayList<>(names);
                    Collections.shuffle(mine, random);
                    hold(client, mine.subList(0, MEMBERS), owner, random.nextBoolean(), history);
                }
            }));
        }
        callers.forEach(
                caller -> assertThat(caller.result(Duration.ofMinutes(4))).isTrue());
        assertThat(history.size()).isEqualTo(100 * rounds * MEMBERS);
        history.check();
        Interlock onlooker = client();
        await().untilAsserted(() -> assertThat(names)
                .allMatch(name -> onlooker.lock(name).inspect().holders().isEmpty()
                        && onlooker.lock(name).inspect().waiters().isEmpty()));
    }

    private static void hold(Interlock client, List<String> names, String owner, boolean fixed, HistoryChecker history)
            throws InterruptedException {
        LeaseTerm term = fixed ? LeaseTerm.fixed(Duration.ofMinutes(5)) : LeaseTerm.renewing();
        try (Lease lease = several(client, names.toArray(String[]::new)).acquire(term)) {
            long begin = System.nanoTime();
            Thread.onSpinWait();
            for (String name : names) {
                history.addUntilNow(name, owner, lease.token(name), begin);
            }
        }
    }

    @Test
    void P18_oppositeOrders_neitherDeadlockNorStarve() throws Exception {
        int rounds = Effort.pick(200, 5_000);
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int pair = 0; pair < 2; pair++) {
            Interlock client = client();
            for (DistributedLock lock : List.of(several(client, "a", "b"), several(client, "b", "a"))) {
                callers.add(Caller.startAction(() -> {
                    for (int round = 0; round < rounds; round++) {
                        lock.lock();
                        lock.unlock();
                    }
                }));
            }
        }
        callers.forEach(
                caller -> assertThat(caller.result(Duration.ofMinutes(2))).isTrue());
    }

    /** The control: one after the other, in the callers' own orders, nobody gets both. */
    @Test
    void P18_withoutIt_oppositeOrdersDeadlock() {
        CyclicBarrier bothHoldOne = new CyclicBarrier(2);
        Caller<Boolean> one = Caller.start(() -> oneAfterTheOther(client(), "a", "b", bothHoldOne));
        Caller<Boolean> two = Caller.start(() -> oneAfterTheOther(client(), "b", "a", bothHoldOne));
        assertThat(List.of(one.result(), two.result())).containsOnly(false);
    }

    private static boolean oneAfterTheOther(Interlock client, String first, String second, CyclicBarrier bothHoldOne)
            throws Exception {
        Lease lease = client.lock(first).acquire();
        bothHoldOne.await();
        boolean got = client.lock(second).tryAcquire(Duration.ofMillis(200)).isPresent();
        // Nobody lets go before both have given up.
        bothHoldOne.await();
        lease.close();
        return got;
    }
}
