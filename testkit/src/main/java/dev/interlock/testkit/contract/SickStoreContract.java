package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** A store that does not answer, or refuses: every wait ends in time, and all goes on when it is back (I7, P10, P23). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface SickStoreContract extends LockFixture {

    Duration ATTEMPT = Duration.ofMillis(300);
    Duration STORE_TIMEOUT = Duration.ofSeconds(1);
    Duration TOLERANCE = Duration.ofMillis(50);

    private Interlock impatient(FaultyStore faulty) {
        return clients().open(faulty.store(), b -> b.attemptTimeout(ATTEMPT)
                .storeTimeout(STORE_TIMEOUT)
                .closeTimeout(ATTEMPT));
    }

    /** Every budget under every fault, on a client that was connected before; then it works again without a restart. */
    @Test
    default void P10_timedWaits_endInTime_underEveryFault_andRecover() throws Exception {
        FaultyStore faulty = faultyStore();
        Interlock client = impatient(faulty);
        client.lock(clients().name()).acquire().close();
        for (StoreFault fault : faulty.faults()) {
            long hits = fault.hits();
            fault.strike();
            for (int budget : new int[] {0, 50, 200, 1000}) {
                waitsNoLonger(client.lock(clients().name()), Duration.ofMillis(budget), fault);
            }
            assertThat(fault.hits()).as("proof that %s was there", fault.name()).isGreaterThan(hits);
            fault.heal();
            DistributedLock after = client.lock(clients().name());
            await().atMost(AMPLE)
                    .ignoreExceptions()
                    .until(() -> after.tryLock(Duration.ofSeconds(1)) && unlocked(after));
        }
    }

    private static boolean unlocked(DistributedLock lock) {
        lock.unlock();
        return true;
    }

    private static void waitsNoLonger(DistributedLock lock, Duration budget, StoreFault fault) throws Exception {
        for (Caller.Action way : List.<Caller.Action>of(
                () -> lock.tryLock(budget),
                () -> lock.tryAcquire(budget),
                () -> lock.tryAcquireAsync(budget).toCompletableFuture().get())) {
            try (Stopwatch watch = new Stopwatch()) {
                assertThatThrownBy(way::run).satisfies(SickStoreContract::isUnavailable);
                watch.assertAtMost(budget.plus(TOLERANCE), "a wait of " + budget + " under " + fault.name());
            }
        }
        assertThat(lock.holdCount()).isZero();
    }

    private static void isUnavailable(Throwable failure) {
        Throwable cause = failure instanceof ExecutionException e ? e.getCause() : failure;
        assertThat(cause).isInstanceOf(StoreUnavailableException.class);
        assertThat(cause).hasMessageContaining("lock-");
    }

    @Test
    default void P10_untimedCalls_endInTheirTimeouts_underEveryFault() {
        FaultyStore faulty = faultyStore();
        Interlock client = impatient(faulty);
        DistributedLock lock = client.lock(clients().name());
        for (StoreFault fault : faulty.faults()) {
            fault.strike();
            endsWithin(ATTEMPT, lock::tryLock, fault);
            endsWithin(ATTEMPT, lock::tryAcquire, fault);
            endsWithin(ATTEMPT, lock::isLocked, fault);
            endsWithin(ATTEMPT, lock::inspect, fault);
            endsWithin(ATTEMPT, lock::forceUnlock, fault);
            endsWithin(STORE_TIMEOUT, lock::lock, fault);
            endsWithin(STORE_TIMEOUT, lock::acquire, fault);
            endsWithin(
                    STORE_TIMEOUT,
                    () -> lock.acquireAsync().toCompletableFuture().get(),
                    fault);
            fault.heal();
        }
    }

    private static void endsWithin(Duration timeout, Caller.Action action, StoreFault fault) {
        try (Stopwatch watch = new Stopwatch()) {
            assertThatThrownBy(action::run).satisfies(SickStoreContract::isUnavailable);
            watch.assertAtMost(
                    timeout.plusMillis(150), "a call with a timeout of " + timeout + " under " + fault.name());
        }
    }

    /** A store that answers now and then keeps an unbounded wait alive: only one that never answers ends it. */
    @Test
    default void P10_lock_outlivesAShortOutage_whileItWaits() throws Exception {
        FaultyStore faulty = faultyStore();
        DistributedLock lock = clients()
                .open(faulty.store(), b -> b.attemptTimeout(ATTEMPT).pollCap(ATTEMPT))
                .lock(clients().name());
        DistributedLock holder = elsewhere(lock);
        Lease held = holder.acquire(LONG);
        Caller<Boolean> waiting =
                Caller.startAction(() -> LockFixture.turn(lock)).awaitBlocked();
        for (StoreFault fault : faulty.faults()) {
            long hits = fault.hits();
            fault.strike();
            await().atMost(AMPLE).until(() -> fault.hits() > hits);
            assertThat(waiting.isDone()).isFalse();
            fault.heal();
        }
        held.close();
        waiting.result();
    }

    /** I7: a release that is not confirmed says so, ends the lease here, and is made up for when the store is back. */
    @Test
    default void P02_release_withoutAnAnswer_isUnconfirmed_andRepeatedUntilItIsDone() throws Exception {
        FaultyStore faulty = faultyStore();
        Interlock client = impatient(faulty);
        DistributedLock lock = client.lock(clients().name());
        DistributedLock other = elsewhere(lock);
        Lease lease = lock.acquire(LONG);
        faulty.blackHole().strike();

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.UNCONFIRMED);
        assertThat(lease.isValid()).isFalse();
        assertThat(other.isLocked()).isTrue();
        faulty.blackHole().heal();

        await().atMost(AMPLE).until(() -> !other.isLocked());
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
    }

    /** An unlock that is not confirmed is no error of the caller. */
    @Test
    default void P02_unlock_withoutAnAnswer_doesNotThrow() {
        FaultyStore faulty = faultyStore();
        DistributedLock lock = impatient(faulty).lock(clients().name());
        lock.lock();
        faulty.blackHole().strike();

        lock.unlock();

        assertThat(lock.holdCount()).isZero();
        faulty.blackHole().heal();
        DistributedLock other = elsewhere(lock);
        await().atMost(AMPLE).until(() -> !other.isLocked());
    }

    /** P23: an application starts while its store is down, and works when it is up. */
    @Test
    default void P23_constructionDoesNoIo_andTheFirstUseIsBounded() throws Exception {
        FaultyStore faulty = faultyStore();
        StoreFault fault = faulty.blackHole();
        fault.strike();
        Interlock client;
        DistributedLock lock;
        try (Stopwatch watch = new Stopwatch()) {
            client = impatient(faulty);
            lock = client.lock(clients().name());
            watch.assertAtMost(Duration.ofMillis(200), "construction over a dead store");
        }
        assertThat(fault.hits()).isZero();

        endsWithin(Duration.ofMillis(200), () -> lock.tryLock(Duration.ofMillis(200)), fault);
        assertThat(fault.hits()).isPositive();
        fault.heal();

        await().atMost(AMPLE).ignoreExceptions().until(() -> lock.tryLock(Duration.ofSeconds(1)));
        lock.unlock();
    }
}
