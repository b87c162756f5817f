package dev.interlock.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.history.HistoryChecker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
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

    /** As many callers as try at the same time. */
    private static final int MOST = 10;

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

    /** The same, at some distance, so that what several callers do at the same time overlaps. */
    LockStore openFarStore() {
        return openStore();
    }

    final Interlock client() {
        return client(openStore());
    }

    private Interlock client(LockStore store) {
        Interlock client = Interlock.builder(store).build();
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

    // ---- callers that try at the same time

    /** A form that tries once, in one go. */
    private interface Try {
        Optional<Lease> of(DistributedLock lock) throws Exception;
    }

    private static final List<Try> FORMS = List.of(
            lock -> lock.tryLock() ? Optional.of(lock.heldLease()) : Optional.empty(),
            lock -> lock.tryLock(Duration.ZERO) ? Optional.of(lock.heldLease()) : Optional.empty(),
            DistributedLock::tryAcquire,
            lock -> lock.tryAcquire(LeaseTerm.fixed(Duration.ofMinutes(5))),
            lock -> lock.tryAcquireAsync().toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS));

    /** How often callers try at the same time. */
    int triesAtOnce() {
        return Effort.pick(100, 1000);
    }

    /** Two to ten callers with the same names in any order, in one client or each in its own: exactly one wins. */
    @Test
    void P18_ofCallersThatTryTheSameNamesAtOnce_oneWins() throws Exception {
        IntStream.range(0, MOST).forEach(i -> client(openFarStore()));
        for (int round = 0; round < triesAtOnce(); round++) {
            int members = 2 + round % 4;
            int number = round;
            List<Integer> won = winners(
                    round,
                    caller -> rotated(
                            IntStream.range(0, members)
                                    .mapToObj(i -> "once-" + number + "-" + i)
                                    .toList(),
                            caller));
            assertThat(won).as("winners of round %s", round).hasSize(1);
        }
    }

    /** Each wants two or three of five names: at least one wins, and no name has two holders. */
    @Test
    void P18_ofCallersThatTryOverlappingNamesAtOnce_oneWinsAtLeast() throws Exception {
        IntStream.range(0, MOST).forEach(i -> client(openFarStore()));
        Random random = new Random(7);
        for (int round = 0; round < triesAtOnce(); round++) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < MEMBERS; i++) {
                names.add("some-" + round + "-" + i);
            }
            List<List<String>> sets = new ArrayList<>();
            for (int caller = 0; caller < MOST; caller++) {
                Collections.shuffle(names, random);
                sets.add(List.copyOf(names.subList(0, 2 + random.nextInt(2))));
            }
            List<Integer> won = winners(round, sets::get);
            assertThat(won).as("winners of round %s", round).isNotEmpty();
            assertThat(won.stream().flatMap(caller -> sets.get(caller).stream()).toList())
                    .as("names of the winners of round %s", round)
                    .doesNotHaveDuplicates();
        }
    }

    private static List<String> rotated(List<String> names, int by) {
        List<String> rotated = new ArrayList<>(names);
        Collections.rotate(rotated, by);
        return rotated;
    }

    /** Lets two to ten callers try at the same time. Those who win hold until all have an answer. */
    private List<Integer> winners(int round, IntFunction<List<String>> namesOf) throws Exception {
        int count = 2 + round % (MOST - 1);
        CyclicBarrier together = new CyclicBarrier(count);
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            DistributedLock lock = several(
                    clients.get(round % 2 == 0 ? 0 : number),
                    namesOf.apply(number).toArray(String[]::new));
            Try form = FORMS.get((round + number) % FORMS.size());
            callers.add(Caller.start(() -> {
                together.await(Patience.seconds(), TimeUnit.SECONDS);
                Optional<Lease> lease = form.of(lock);
                together.await(Patience.seconds(), TimeUnit.SECONDS);
                if (lock.isHeldByCurrentThread()) {
                    lock.unlock();
                } else {
                    lease.ifPresent(Lease::close);
                }
                return lease.isPresent();
            }));
        }
        List<Integer> winners = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            if (callers.get(number).result()) {
                winners.add(number);
            }
        }
        return winners;
    }
}
