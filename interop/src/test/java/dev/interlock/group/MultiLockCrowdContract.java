package dev.interlock.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.history.HistoryChecker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many who want several locks at once, whatever the store: nobody waits for ever. */
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class MultiLockCrowdContract {

    private static final int NAMES = 20;
    private static final int MEMBERS = 5;

    private static final int CALLERS = 100;

    /** A guard against hanging only: the long form takes minutes. */
    private static final Duration LOOP = Duration.ofMinutes(14);

    private final List<Interlock> clients = new ArrayList<>();

    /** Opens another client of the same shared data, as another process would. */
    abstract LockStore openStore();

    /** How many clients the callers are spread over. */
    abstract int clientCount();

    /** How often each of many callers holds several locks. */
    abstract int rounds();

    @AfterEach
    void closeClients() {
        clients.forEach(Interlock::close);
    }

    final Interlock client() {
        Interlock client = Interlock.builder(openStore()).build();
        clients.add(client);
        return client;
    }

    private static DistributedLock several(Interlock client, String... names) {
        return MultiLock.of(Arrays.stream(names).map(client::lock).toArray(DistributedLock[]::new));
    }

    /**
     * 100 callers, random 5 of 20 names in random order: everybody finishes, each name has one holder at a time,
     * nothing is left.
     */
    @Tag(Effort.SCALED)
    @Test
    void P18_aHundred_randomNamesInRandomOrder_allFinish() throws Exception {
        int rounds = rounds();
        List<String> names =
                IntStream.range(0, NAMES).mapToObj(i -> "name-" + i).toList();
        HistoryChecker history = new HistoryChecker();
        List<Caller<Boolean>> callers = new ArrayList<>();
        IntStream.range(0, clientCount()).forEach(i -> client());
        for (int number = 0; number < CALLERS; number++) {
            Interlock client = clients.get(number % clientCount());
            Random random = new Random(number);
            String owner = "caller-" + number;
            callers.add(Caller.startAction(() -> {
                for (int round = 0; round < rounds; round++) {
                    List<String> mine = new ArrayList<>(names);
                    Collections.shuffle(mine, random);
                    hold(client, mine.subList(0, MEMBERS), owner, random.nextBoolean(), history);
                }
            }));
        }
        callers.forEach(caller -> assertThat(caller.result(LOOP)).isTrue());
        assertThat(history.size()).isEqualTo(CALLERS * rounds * MEMBERS);
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
        int rounds = 20 * rounds();
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
        callers.forEach(caller -> assertThat(caller.result(LOOP)).isTrue());
    }
}
