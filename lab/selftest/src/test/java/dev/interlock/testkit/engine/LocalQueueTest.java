package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Callers of one process: first-in first-out, without the store. */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class LocalQueueTest extends EngineSuite {

    @Test
    void localQueue_isFirstInFirstOut() {
        DistributedLock lock = lock();
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<Caller<Boolean>> callers = new ArrayList<>();
        lock.lock();
        for (int i = 0; i < 10; i++) {
            int number = i;
            callers.add(Caller.startAction(() -> {
                        lock.lock();
                        order.add(number);
                        lock.unlock();
                    })
                    .awaitBlocked());
        }

        lock.unlock();
        callers.forEach(Caller::result);

        assertThat(order).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void localQueue_tryLock_doesNotOvertake() {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        other.lock();
        Caller<Boolean> waiting =
                Caller.startAction(() -> LockFixture.lockAndUnlock(lock)).awaitBlocked();

        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.tryAcquire()).isEmpty();

        other.unlock();
        waiting.result();
    }

    /** A hand-over inside the process costs the store nothing, and gives a larger token. */
    @Test
    void localQueue_handOver_costsNoRequest() throws Exception {
        CountingStore store = new CountingStore(clients().store());
        LockOptions options = LockOptions.builder()
                .handOver(LockOptions.MAX_HAND_OVERS, Duration.ofMinutes(1))
                .build();
        Interlock client = clients().open(store, b -> b.lockOptions(options));
        DistributedLock lock = client.lock(clients().name());
        List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
        List<Caller<Boolean>> callers = new ArrayList<>();
        lock.lock();
        for (int i = 0; i < 20; i++) {
            callers.add(Caller.startAction(() -> {
                        lock.lock();
                        tokens.add(lock.heldLease().token());
                        lock.unlock();
                    })
                    .awaitBlocked());
        }
        long before = requestsButRenewals(store);
        lock.unlock();
        callers.forEach(Caller::result);

        assertThat(requestsButRenewals(store) - before).as("%s", store).isLessThanOrEqualTo(1);
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        await().until(() -> !lock.isLocked());
    }

    /** On a slow machine, renewals fall due meanwhile. */
    private static long requestsButRenewals(CountingStore store) {
        return store.requests() - store.requests(Verb.RENEW);
    }

    /** P15: a lease that ends unreleased does not wedge the threads of its own process. */
    @Test
    void P15_aFixedLeaseThatIsNeverReleased_letsTheNextThreadIn() throws Exception {
        waitForAFixedLease(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void P15_fixedLeaseNeverReleased_holdsUpTheNextForItsLength() throws Exception {
        waitForAFixedLease(Duration.ofMillis(1250));
    }

    private void waitForAFixedLease(Duration limit) throws Exception {
        DistributedLock lock = lock();
        lock.lock(LeaseTerm.fixed(Duration.ofSeconds(1)));
        try (Stopwatch watch = new Stopwatch()) {
            Caller.startAction(() -> LockFixture.lockAndUnlock(lock)).result();
            watch.assertAtMost(limit, "the next thread's wait for a lease of one second");
        }
    }

    @Test
    void P15_severalWaiters_allGetTheirTurn() throws Exception {
        DistributedLock lock = lock();
        List<Caller<Boolean>> callers = new ArrayList<>();
        lock.lock(LeaseTerm.fixed(Duration.ofMillis(300)));
        for (int i = 0; i < 5; i++) {
            callers.add(Caller.startAction(() -> lock.lock(LeaseTerm.fixed(Duration.ofMillis(200)))));
        }
        callers.forEach(Caller::result);
        await().until(() -> !lock.isLocked());
    }
}
