package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fault.FaultyStore;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.store.CountingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** From one process to the next: soon, cheap, and in bounded turns (I5, P11, P13). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface HandOverContract extends LockFixture {

    Duration POLL_CAP = Duration.ofMillis(300);

    /** The lease of a holder that dies. */
    Duration DEAD = Duration.ofSeconds(1);

    /** What a wake, an acquire and the scheduling of threads may take. */
    Duration SLACK = Duration.ofMillis(200);

    /** Neither a poll nor the end of the lease helps: the next caller holds because the release wakes it. */
    @Test
    default void I05_handOver_afterARelease_needsNoPoll() {
        handOver(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void I05_handOver_afterARelease_isSoon() {
        handOver(Duration.ofSeconds(storeWakes() ? 1 : 2));
    }

    private void handOver(Duration limit) {
        DistributedLock lock =
                clients().open(b -> b.pollCap(NEVER)).lock(clients().name());
        DistributedLock other = clients().open(b -> b.pollCap(NEVER)).lock(lock.name());
        lock.lock(LeaseTerm.fixed(NEVER));
        Caller<Boolean> waiting = startTurn(other);

        try (Stopwatch watch = new Stopwatch()) {
            lock.unlock();
            waiting.result();
            watch.assertAtMost(limit, "a hand-over");
        }
    }

    private static Caller<Boolean> startTurn(DistributedLock lock) {
        return Caller.startAction(() -> LockFixture.lockAndUnlock(lock)).awaitBlocked();
    }

    /** I5: the holder's death. */
    @Test
    default void I05_handOver_afterTheHoldersDeath_needsNoRelease() throws Exception {
        takeOver(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void I05_handOver_afterTheHoldersDeath_isWithinLeaseAndPollCap() throws Exception {
        takeOver(DEAD.plus(POLL_CAP).plus(SLACK));
    }

    private void takeOver(Duration limit) throws Exception {
        Patience.inTime(() -> {
            FaultyStore faulty = faultyStore();
            Interlock dying = clients().open(faulty.store(), b -> b.closeTimeout(Duration.ofMillis(200)));
            DistributedLock dead = dying.lock(clients().name());
            DistributedLock survivor = clients().open(b -> b.pollCap(POLL_CAP)).lock(dead.name());
            Lease held = dead.acquire(LeaseTerm.renewing(DEAD));
            Caller<Boolean> waiting = startTurn(survivor);
            boolean hasLived;
            try (Stopwatch watch = new Stopwatch()) {
                faulty.blackHole().strike();
                hasLived = held.isValid();
                waiting.result();
                watch.assertAtMost(limit, "the take-over from a dead holder");
            }
            if (!hasLived) {
                // The machine stood still for the lease, and nothing is sent any more that the black hole could hit.
                return Optional.empty();
            }
            await().until(() -> faulty.blackHole().hits() > 0);
            return Optional.of(true);
        });
    }

    /** A release wakes one client, not all: the cost of a hand-over does not grow with those who wait. */
    @Tag(Effort.TIMING)
    @Test
    default void P13_handOver_costsAtMostTwoRequests_howeverManyWait() {
        int clientCount = 8;
        List<CountingStore> stores = new ArrayList<>();
        DistributedLock holder = lock();
        holder.lock();
        List<Caller<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i < clientCount; i++) {
            CountingStore store = new CountingStore(clients().store());
            stores.add(store);
            Interlock client = clients().open(store, b -> b.pollCap(Duration.ofSeconds(20)));
            waiting.add(startTurn(client.lock(holder.name())));
        }
        // They begin together: some stores are asked again now and then, by clients in turn without a pause.
        await().until(() -> stores.stream().allMatch(store -> store.requests() > 0));
        if (storeListsWaiters()) {
            await().until(() -> holder.inspect().waiters().size() == clientCount);
        }
        if (storeWakes()) {
            awaitQuiet(stores);
        }
        long before = requests(stores);
        long begin = System.nanoTime();

        holder.unlock();
        waiting.forEach(Caller::result);

        long elapsedMillis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
        // A store that cannot wake is polled: by each client, but not in a spin. Whoever is next asks in each
        // millisecond for moments, but all of them on the average not so often.
        // One that can may still be asked once in a second, which a slow machine takes.
        long polls = clientCount * (storeWakes() ? elapsedMillis / 1_000 : elapsedMillis / 5 + 1);
        assertThat(requests(stores) - before).as("%s", stores).isLessThanOrEqualTo(2L * clientCount + polls);
    }

    /** A client that could not be woken at first asks again, until it can. */
    private static void awaitQuiet(List<CountingStore> stores) {
        AtomicLong last = new AtomicLong();
        await().during(Duration.ofMillis(300)).until(() -> {
            long now = requests(stores);
            return last.getAndSet(now) == now;
        });
    }

    private static long requests(List<CountingStore> stores) {
        return stores.stream().mapToLong(CountingStore::requests).sum();
    }

    /** Busy processes give each other their turn: none keeps the lock because its threads are quicker to ask. */
    @Test
    default void handOver_betweenBusyClients_starvesNobody() {
        int clientCount = 3;
        AtomicLongArray turns = new AtomicLongArray(clientCount);
        AtomicBoolean enough = new AtomicBoolean();
        String name = clients().name();
        LockOptions options =
                LockOptions.builder().handOver(20, Duration.ofMillis(5)).build();
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 2 * clientCount; i += 2) {
            int number = i / 2;
            DistributedLock lock = clients().open(b -> b.lockOptions(options)).lock(name);
            for (int thread = 0; thread < 2; thread++) {
                callers.add(Caller.startAction(() -> takeTurns(lock, turns, number, enough)));
            }
        }

        await().until(() -> least(turns) >= 20);
        enough.set(true);
        callers.forEach(Caller::result);
    }

    private static void takeTurns(DistributedLock lock, AtomicLongArray turns, int number, AtomicBoolean enough) {
        while (!enough.get()) {
            lock.lock();
            turns.incrementAndGet(number);
            lock.unlock();
        }
    }

    private static long least(AtomicLongArray turns) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < turns.length(); i++) {
            least = Math.min(least, turns.get(i));
        }
        return least;
    }
}
