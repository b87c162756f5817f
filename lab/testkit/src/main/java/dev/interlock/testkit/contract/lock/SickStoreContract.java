package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fault.FaultyStore;
import dev.interlock.testkit.fault.StoreFault;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.SwitchableStore;
import dev.interlock.testkit.store.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A store that does not answer, or refuses: every wait ends in time, and all goes on when it is back (I7, P10, P23).
 */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface SickStoreContract extends LockFixture {

    Duration ATTEMPT = Duration.ofMillis(300);
    Duration STORE_TIMEOUT = Duration.ofSeconds(1);
    Duration TOLERANCE = Duration.ofMillis(50);

    /** By how much a timeout that is not the caller's own may be exceeded. */
    Duration ROUND_TRIP = Duration.ofMillis(400);

    private Interlock impatient(FaultyStore faulty) {
        return clients().open(faulty.store(), b -> b.attemptTimeout(ATTEMPT)
                .storeTimeout(STORE_TIMEOUT)
                .closeTimeout(ATTEMPT));
    }

    /** Every budget under every fault, on a client that was connected before; then it works again without a restart. */
    @Test
    default void P10_timedWaits_end_underEveryFault_andRecover() throws Exception {
        endTimedWaits(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void P10_timedWaits_endInTime_underEveryFault() throws Exception {
        endTimedWaits(TOLERANCE);
    }

    private void endTimedWaits(Duration tolerance) throws Exception {
        FaultyStore faulty = sickStore();
        Interlock client = impatient(faulty);
        DistributedLock first = client.lock(clients().name());
        LockFixture.answerOf(first, first::acquire).close();
        for (StoreFault fault : faulty.faults()) {
            long hits = fault.hits();
            fault.strike();
            do {
                waitInVain(client, tolerance, fault);
                // On a machine without a free processor the time may be over before anything was sent.
            } while (fault.hits() == hits);
            fault.heal();
            works(client.lock(clients().name()));
        }
    }

    /** Each stays for the first answer, for one attempt at least, and says that there was none. */
    private void waitInVain(Interlock client, Duration tolerance, StoreFault fault) {
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int millis : new int[] {0, 50, 200, 1000}) {
            Duration budget = Duration.ofMillis(millis);
            Duration limit = budget.compareTo(ATTEMPT) < 0 ? ATTEMPT : budget;
            DistributedLock lock = client.lock(clients().name());
            DistributedLock handle = client.lock(clients().name());
            DistributedLock async = client.lock(clients().name());
            List<Caller.Action> calls = List.of(
                    () -> lock.tryLock(budget),
                    () -> handle.tryAcquire(budget),
                    () -> join(async.tryAcquireAsync(budget)));
            calls.forEach(call -> callers.add(ends(limit, tolerance, call, fault)));
        }
        callers.forEach(Caller::result);
    }

    private static void works(DistributedLock lock) {
        await().ignoreExceptions().pollInSameThread().until(() -> lock.tryLock(Duration.ofSeconds(1)));
        lock.unlock();
    }

    /** Runs the call on a thread of its own; it must end unavailable, after this time at the latest. */
    private static Caller<Boolean> ends(Duration limit, Duration tolerance, Caller.Action call, StoreFault fault) {
        return Caller.startAction(() -> {
            try (Stopwatch watch = new Stopwatch()) {
                assertThatThrownBy(call::run).satisfies(SickStoreContract::isUnavailable);
                watch.assertAtMost(limit.plus(tolerance), "a call bounded by " + limit + " under " + fault.name());
            }
        });
    }

    private static void isUnavailable(Throwable failure) {
        Throwable cause = failure instanceof ExecutionException e ? e.getCause() : failure;
        assertThat(cause).isInstanceOf(StoreUnavailableException.class).hasMessageContaining("lock-");
    }

    private static <T> T join(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get();
    }

    @Test
    default void P10_untimedCalls_end_underEveryFault() {
        endUntimedCalls(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void P10_untimedCalls_endInTheirTimeouts_underEveryFault() {
        endUntimedCalls(ROUND_TRIP);
    }

    private void endUntimedCalls(Duration tolerance) {
        FaultyStore faulty = sickStore();
        Interlock client = impatient(faulty);
        String name = clients().name();
        for (StoreFault fault : faulty.faults()) {
            // The fault before may have cost the connection, and an attempt begins when there is one.
            works(client.lock(clients().name()));
            DistributedLock[] locks = new DistributedLock[5];
            for (int i = 0; i < locks.length; i++) {
                locks[i] = client.lock(clients().name());
            }
            fault.strike();
            List<Caller<Boolean>> callers = List.of(
                    ends(ATTEMPT, tolerance, client.lock(name)::isLocked, fault),
                    ends(ATTEMPT, tolerance, client.lock(name)::inspect, fault),
                    ends(ATTEMPT, tolerance, () -> client.administration().forceUnlock(name), fault),
                    ends(ATTEMPT, tolerance, locks[0]::tryLock, fault),
                    ends(ATTEMPT, tolerance, locks[1]::tryAcquire, fault),
                    ends(STORE_TIMEOUT, tolerance, locks[2]::lock, fault),
                    ends(STORE_TIMEOUT, tolerance, locks[3]::acquire, fault),
                    ends(STORE_TIMEOUT, tolerance, () -> join(locks[4].acquireAsync()), fault));
            callers.forEach(Caller::result);
            fault.heal();
        }
    }

    /** A store that answers now and then keeps an unbounded wait alive: only one that never answers ends it. */
    @Test
    default void P10_lock_outlivesAShortOutage_whileItWaits() throws Exception {
        FaultyStore faulty = sickStore();
        DistributedLock lock = clients()
                .open(
                        faulty.store(),
                        b -> b.attemptTimeout(ATTEMPT).pollCap(ATTEMPT).closeTimeout(ATTEMPT))
                .lock(clients().name());
        DistributedLock holder = elsewhere(lock);
        Lease held = holder.acquire(LONG);
        Caller<Boolean> waiting =
                Caller.startAction(() -> LockFixture.lockAndUnlock(lock)).awaitBlocked();
        for (StoreFault fault : faulty.faults()) {
            long hits = fault.hits();
            fault.strike();
            await().until(() -> fault.hits() > hits);
            assertThat(waiting.isDone()).isFalse();
            fault.heal();
        }
        held.close();
        waiting.result();
    }

    /** I7: a release that is not confirmed says so, ends the lease here, and is made up for when the store is back. */
    @Test
    default void P02_unansweredRelease_isUnconfirmed_andRepeatedUntilDone() throws Exception {
        FaultyStore faulty = faultyStore();
        Interlock client = impatient(faulty);
        DistributedLock lock = client.lock(clients().name());
        DistributedLock other = elsewhere(lock);
        Lease lease = LockFixture.answerOf(lock, () -> lock.acquire(LONG));
        faulty.blackHole().strike();

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.UNCONFIRMED);
        assertThat(lease.isValid()).isFalse();
        assertThat(other.isLocked()).isTrue();
        faulty.blackHole().heal();

        await().until(() -> !other.isLocked());
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
    }

    /**
     * The release is done, and only its answer is lost: it says that it is not confirmed, and repeated, by the caller
     * or in the background, takes nothing from who holds then.
     */
    @Test
    default void P02_release_whoseAnswerIsLost_isDone_andHarmlessWhenRepeated() throws Exception {
        CountingStore counting = new CountingStore(clients().store());
        SwitchableStore store = new SwitchableStore(counting);
        DistributedLock lock = clients()
                .open(store, b -> b.attemptTimeout(ATTEMPT).closeTimeout(ATTEMPT))
                .lock(clients().name());
        Lease lease = LockFixture.answerOf(lock, () -> lock.acquire(LONG));
        store.mode(SwitchableStore.Mode.DEAF);

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.UNCONFIRMED);

        DistributedLock other = elsewhere(lock);
        try (Lease next = other.tryAcquire(Patience.limit(), LONG).orElseThrow()) {
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
            assertThatThrownBy(lease::ensureValid).isExactlyInstanceOf(IllegalStateException.class);
            long releases = counting.requests(Verb.RELEASE);
            store.mode(SwitchableStore.Mode.HEALTHY);
            await().until(() -> counting.requests(Verb.RELEASE) > releases);
            assertThat(other.inspect().holders())
                    .extracting(LockStatus.Holder::token)
                    .containsExactly(next.token());
            assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    /** P23: an application starts while its store is down, and works when it is up. */
    @Test
    default void P23_constructionDoesNoIo_andTheFirstUseEnds() throws Exception {
        startOverADeadStore(Patience.limit(), Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void P23_constructionIsQuick_andTheFirstUseIsBounded() throws Exception {
        startOverADeadStore(Duration.ofMillis(200), TOLERANCE);
    }

    private void startOverADeadStore(Duration limit, Duration tolerance) throws Exception {
        FaultyStore faulty = faultyStore();
        StoreFault fault = faulty.blackHole();
        fault.strike();
        Interlock client;
        DistributedLock lock;
        try (Stopwatch watch = new Stopwatch()) {
            client = impatient(faulty);
            lock = client.lock(clients().name());
            watch.assertAtMost(limit, "construction over a dead store");
        }
        assertThat(fault.hits()).isZero();
        do {
            // To connect may take as long as the store may be silent.
            ends(STORE_TIMEOUT, tolerance, () -> lock.tryLock(BRIEF), fault).result();
        } while (fault.hits() == 0);
        fault.heal();
        works(lock);
    }
}
