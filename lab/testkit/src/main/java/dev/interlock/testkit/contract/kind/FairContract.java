package dev.interlock.testkit.contract.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.fixture.StoreClient;
import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.PlaceWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The fair lock, and the one that is not re-entrant. */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
interface FairContract extends KindsFixture {

    /** A little less than the 5 s for which a claim keeps its place without asking again. */
    Duration KEPT = Duration.ofMillis(4_500);

    private List<DistributedLock> locks(int count) {
        return locks(count, new PlaceWatch());
    }

    private List<DistributedLock> locks(int count, PlaceWatch places) {
        String name = clients().name();
        List<DistributedLock> locks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Interlock client = clients().open(places.around(clients().store()), b -> b);
            locks.add(client.lock(name, LockOptions.builder().fair(true).build()));
        }
        return locks;
    }

    /** Lets {@code count} callers of these locks queue one after the other. */
    private static List<CompletableFuture<Lease>> queue(List<DistributedLock> locks, int count) {
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            DistributedLock lock = locks.get(i % locks.size());
            waiting.add(lock.acquireAsync().toCompletableFuture());
            KindsFixture.awaitWaiters(lock::inspect, i + 1);
        }
        return waiting;
    }

    @Test
    default void fair_goesInTheOrderOfArrival_overAllClients() throws Exception {
        KindsFixture.inOrder(places -> {
            List<DistributedLock> locks = locks(3, places);
            Lease held = locks.get(0).acquire();
            long token = held.token();

            List<CompletableFuture<Lease>> waiting = queue(locks, 12);
            for (int i = 0; i < waiting.size(); i++) {
                assertThat(waiting.get(i)).isNotDone();
                held.close();
                held = KindsFixture.first(waiting.subList(i, waiting.size()));
                assertThat(held.token()).isGreaterThan(token);
                token = held.token();
            }
            held.close();
        });
    }

    @Test
    default void fair_nobodyOvertakesAWaiter() throws Exception {
        List<DistributedLock> locks = locks(2);
        Lease held = locks.get(0).acquire();
        CompletableFuture<Lease> waiting = queue(List.of(locks.get(1)), 1).get(0);

        assertThat(locks.get(0).tryAcquire()).isEmpty();
        held.close();
        Lease next = KindsFixture.get(waiting);

        assertThat(locks.get(0).tryAcquire()).isEmpty();
        next.close();
        assertThat(locks.get(0).tryLock()).isTrue();
        locks.get(0).unlock();
    }

    /** The free name is for the one who came first, however slow it is, and not for one that just comes by. */
    @Test
    default void fair_freeName_isForTheOneWhoCameFirst() throws Exception {
        Patience.inTime(() -> {
            long begun = System.nanoTime();
            try {
                assertServedInOrder(LockId.lock(clients().name()), clients().raw());
                return Optional.of(true);
            } catch (AssertionError e) {
                if (!isPlaceOver(begun)) {
                    throw e;
                }
                return Optional.empty();
            }
        });
    }

    private static void assertServedInOrder(LockId id, StoreClient client) {
        Claim held = client.claim(id).inMode(Mode.fair());
        Claim first = client.claim(id).inMode(Mode.fair()).waiting(Duration.ZERO);
        Claim second = client.claim(id).inMode(Mode.fair()).waiting(Duration.ZERO);
        client.granted(held);
        client.busy(first);
        client.busy(second);

        client.release(held);

        client.busy(client.claim(id).inMode(Mode.fair()));
        client.busy(second.waiting(Duration.ofMillis(1)));
        client.granted(first.waiting(Duration.ofMillis(1)));
        client.release(first);
        client.granted(second.waiting(Duration.ofMillis(2)));
    }

    @Test
    default void fair_andPlain_excludeEachOther() throws Exception {
        DistributedLock fair = locks(1).get(0);
        DistributedLock plain = clients().open().lock(fair.name());

        try (Lease lease = fair.acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(plain.tryAcquire()).isEmpty();
        }
        try (Lease lease = plain.acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(fair.tryAcquire()).isEmpty();
        }
    }

    /** A waiter that gives up in the middle of the queue, or at its head, costs nobody anything. */
    @Test
    default void P14_waitersThatGiveUp_costNobody() throws Exception {
        KindsFixture.inOrder(places -> {
            List<DistributedLock> locks = locks(3, places);
            Lease held = locks.get(0).acquire();
            List<CompletableFuture<Lease>> waiting = queue(locks, 4);

            waiting.get(0).cancel(true);
            waiting.get(2).cancel(true);
            KindsFixture.awaitWaiters(locks.get(0)::inspect, 2);
            held.close();

            Lease second = KindsFixture.first(List.of(waiting.get(1), waiting.get(3)));
            second.close();
            KindsFixture.get(waiting.get(3)).close();
        });
    }

    /** One that died at the head of the queue keeps the others waiting for its place only. */
    @Test
    default void P14_deadWaiter_isPassedOver() throws Exception {
        passOverADeadWaiter(Patience.limit());
    }

    /** And once. */
    @Tag(Effort.TIMING)
    @Test
    default void P14_deadWaiter_costsItsPlace_once() throws Exception {
        passOverADeadWaiter(PLACE.plusSeconds(1));
    }

    private void passOverADeadWaiter(Duration limit) throws Exception {
        Patience.inTime(() -> {
            DistributedLock lock = locks(1).get(0);
            Lease held = lock.acquire();
            StoreClient dead = clients().raw();
            long asked = System.nanoTime();
            dead.busy(dead.claim(LockId.lock(lock.name())).inMode(Mode.fair()).waiting(Duration.ZERO));
            awaitWaiters(lock, 1, asked);
            CompletableFuture<Lease> living = lock.acquireAsync().toCompletableFuture();
            awaitWaiters(lock, 2, asked);

            boolean isInTime;
            try (Stopwatch watch = new Stopwatch()) {
                held.close();
                isInTime = !isPlaceOver(asked);
                KindsFixture.get(living).close();
                watch.assertAtMost(limit, "taking over from a dead waiter");
            }
            return isInTime ? Optional.of(true) : Optional.empty();
        });
    }

    /** Returns when so many waiters are listed, or when the place of one that asked then may be over. */
    private static void awaitWaiters(DistributedLock lock, int count, long asked) {
        await().pollInterval(Duration.ofMillis(2))
                .until(() -> isPlaceOver(asked) || lock.inspect().waiters().size() == count);
    }

    private static boolean isPlaceOver(long asked) {
        return System.nanoTime() - asked >= KEPT.toNanos();
    }

    /** Whatever the number of clients that wait. */
    @Tag(Effort.TIMING)
    @Test
    default void P13_fair_handOver_costsAtMostTwoRequests() throws Exception {
        int clients = 8;
        int rounds = 5;
        String name = clients().name();
        List<CountingStore> stores = new ArrayList<>();
        List<DistributedLock> locks = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            CountingStore store = new CountingStore(clients().store());
            Interlock client = clients().open(store, builder -> builder.pollCap(Duration.ofMinutes(1)));
            stores.add(store);
            locks.add(client.lock(name, LockOptions.builder().fair(true).build()));
        }
        Lease held = locks.get(0).acquire();
        List<CompletableFuture<Lease>> waiting = queue(locks, clients * rounds);
        try (Stopwatch watch = new Stopwatch()) {
            long before = stores.stream().mapToLong(CountingStore::requests).sum();
            for (CompletableFuture<Lease> next : waiting) {
                held.close();
                held = KindsFixture.get(next);
            }
            watch.assertAtMost(Duration.ofMillis(40L * waiting.size()), "hand-overs by wakes");
            long requests = stores.stream().mapToLong(CountingStore::requests).sum() - before;
            // Beside that, each that waits asks every quarter of its place, to keep it: for few of them that is now.
            long kept = waiting.size() * watch.elapsed().toMillis() / (PLACE.toMillis() / 4) + waiting.size() / 4;
            assertThat(requests).isLessThanOrEqualTo(2L * waiting.size() + kept);
        }
        held.close();
    }
}
