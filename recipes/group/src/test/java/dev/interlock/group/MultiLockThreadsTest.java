package dev.interlock.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.memory.MemoryStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.store.FlakyStore;
import dev.interlock.testkit.store.FlakyStore.Rates;
import dev.interlock.testkit.store.SwitchableStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How several locks are let go as one, and got, with and without a thread that waits, and whose threads that takes. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its locks to its client
class MultiLockThreadsTest {

    private final MemoryStore memory = new MemoryStore();
    private final SwitchableStore switchable = new SwitchableStore(memory.session());
    private final Interlock client = Interlock.builder(memory.session()).build();
    private final Interlock other = Interlock.builder(memory.session()).build();
    private final Interlock sick = Interlock.builder(switchable)
            .attemptTimeout(Duration.ofMillis(300))
            .closeTimeout(Duration.ofMillis(100))
            .build();
    private final DistributedLock abc = MultiLock.of(client.lock("c"), client.lock("a"), client.lock("b"));

    @AfterEach
    void close() {
        sick.close();
        other.close();
        client.close();
        memory.close();
    }

    private static ReleaseOutcome outcome(CompletionStage<ReleaseOutcome> stage) throws Exception {
        return stage.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
    }

    private void assertFree(String... names) {
        await().untilAsserted(() -> {
            for (String name : names) {
                assertThat(other.lock(name).isLocked()).as(name).isFalse();
            }
        });
    }

    @Test
    void releaseAsync_endsAllAtOnce_andSaysSoOnce() throws Exception {
        Lease lease = abc.acquire();
        CompletionStage<ReleaseOutcome> released = lease.releaseAsync();
        assertThat(lease.isValid()).isFalse();
        assertThat(outcome(released)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.releaseAsync().toCompletableFuture()).isCompletedWithValue(ReleaseOutcome.ALREADY_RELEASED);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
        assertFree("a", "b", "c");
    }

    @Test
    void releaseAsync_tellsTheLossOfAMember_evenAfterACancellation() throws Exception {
        Lease told = abc.acquire();
        assertThat(client.administration().forceUnlock("b")).isTrue();
        ReleaseOutcome forced = ReleaseOutcome.lost(LossCause.FORCED);
        assertThat(outcome(told.releaseAsync())).isEqualTo(forced);
        assertThat(told.release()).isEqualTo(forced);
        assertFree("a", "b", "c");

        Lease cancelled = MultiLock.of(client.lock("b"), sick.lock("m")).acquire();
        assertThat(client.administration().forceUnlock("b")).isTrue();
        switchable.mode(SwitchableStore.Mode.SILENT);
        assertThat(cancelled.releaseAsync().toCompletableFuture().cancel(true)).isTrue();
        switchable.mode(SwitchableStore.Mode.HEALTHY);
        await().untilAsserted(() -> assertThat(cancelled.release()).isEqualTo(forced));
        assertFree("b", "m");
    }

    /** All are let go at the same time: two stores that are silent cost as much time as one. */
    @Test
    void oneSilentStore_leavesItsMembersUnconfirmed_othersReleased() throws Exception {
        oneSilentStore(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void oneSilentStore_costsOneTimeout() throws Exception {
        oneSilentStore(Duration.ofMillis(400));
    }

    private void oneSilentStore(Duration limit) throws Exception {
        DistributedLock mixed =
                MultiLock.of(client.lock("a"), sick.lock("m"), client.lock("n"), sick.lock("o"), client.lock("z"));
        for (boolean blocking : List.of(true, false)) {
            Lease lease = mixed.acquire();
            switchable.mode(SwitchableStore.Mode.SILENT);
            try (Stopwatch watch = new Stopwatch()) {
                ReleaseOutcome outcome = blocking ? lease.release() : outcome(lease.releaseAsync());
                assertThat(outcome).isEqualTo(ReleaseOutcome.UNCONFIRMED);
                watch.assertAtMost(limit, "a release with an attempt timeout of 300 ms");
            }
            assertThat(switchable.struck()).isPositive();
            assertThat(List.of("a", "n", "z"))
                    .noneMatch(name -> other.lock(name).isLocked());
            assertThat(List.of("m", "o")).allMatch(name -> other.lock(name).isLocked());
            switchable.mode(SwitchableStore.Mode.HEALTHY);
            assertFree("m", "o");
        }
    }

    @Test
    void unlock_tellsALossThatOnlyTheStoreKnowsOf_andReleasesTheRest() {
        for (String lost : List.of("a", "b", "c")) {
            abc.lock();
            assertThat(other.administration().forceUnlock(lost)).isTrue();
            assertThatThrownBy(abc::unlock).isInstanceOf(LockLostException.class);
            assertThat(abc.holdCount()).isZero();
            assertFree("a", "b", "c");
        }
    }

    /**
     * A lease comes on the only thread of the user's executor, and is closed there: the completions of its members
     * cannot come on that thread meanwhile.
     */
    @Test
    void P24_aLeaseMayBeClosed_onTheOnlyThreadOfTheExecutor() throws Exception {
        ExecutorService only = Executors.newSingleThreadExecutor();
        SwitchableStore late = new SwitchableStore(memory.session());
        try (Interlock narrow = narrow(late, only)) {
            DistributedLock lock = MultiLock.of(narrow.lock("x"), narrow.lock("y"), narrow.lock("z"));
            CompletionStage<ReleaseOutcome> closed = lock.acquireAsync()
                    .thenApplyAsync(
                            lease -> {
                                // So that no answer is there before it is waited for.
                                late.mode(SwitchableStore.Mode.SILENT);
                                return lease.release();
                            },
                            only);
            assertThat(outcome(closed)).isEqualTo(ReleaseOutcome.UNCONFIRMED);
            late.mode(SwitchableStore.Mode.HEALTHY);
            assertFree("x", "y", "z");
        } finally {
            only.shutdown();
        }
    }

    /** A client whose executor is this. */
    private static Interlock narrow(SwitchableStore store, ExecutorService executor) {
        return Interlock.builder(store)
                .callbackExecutor(executor)
                .attemptTimeout(Duration.ofMillis(300))
                .closeTimeout(Duration.ofMillis(100))
                .build();
    }

    private interface Blocking {
        ReleaseOutcome blockFor(CompletableFuture<ReleaseOutcome> released) throws Exception;
    }

    /** The same for a thread that blocks for the future, in each way that there is. */
    @Test
    void P24_releasesFuture_mayBeWaitedForOnTheOnlyThread() throws Exception {
        List<Blocking> ways = List.of(
                CompletableFuture::join,
                CompletableFuture::get,
                released -> released.get(Patience.seconds(), TimeUnit.SECONDS));
        for (Blocking way : ways) {
            ExecutorService only = Executors.newSingleThreadExecutor();
            SwitchableStore late = new SwitchableStore(memory.session());
            try (Interlock narrow = narrow(late, only)) {
                DistributedLock lock = MultiLock.of(narrow.lock("x"), narrow.lock("y"), narrow.lock("z"));
                Future<ReleaseOutcome> blocked = only.submit(() -> {
                    Lease lease = lock.acquire();
                    // So that no answer is there before it is waited for.
                    late.mode(SwitchableStore.Mode.SILENT);
                    return way.blockFor(lease.releaseAsync().toCompletableFuture());
                });
                assertThat(blocked.get(Patience.seconds(), TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.UNCONFIRMED);
                late.mode(SwitchableStore.Mode.HEALTHY);
                assertFree("x", "y", "z");
            } finally {
                only.shutdownNow();
            }
        }
    }

    /** The other way round: those that are free need nobody else, although their answers come on other threads. */
    @Test
    void P24_freeLocks_mayBeLocked_onTheOnlyThreadOfTheExecutor() throws Exception {
        ExecutorService only = Executors.newSingleThreadExecutor();
        FlakyStore slow = new FlakyStore(memory.session(), 1, Rates.NONE.withDelays(1, Duration.ofMillis(30)));
        // An answer that is given up would have to be waited for by another thread.
        try (Interlock narrow = Interlock.builder(slow)
                .callbackExecutor(only)
                .storeTimeout(Patience.FULL)
                .attemptTimeout(Patience.FULL)
                .build()) {
            DistributedLock lock = MultiLock.of(narrow.lock("x"), narrow.lock("y"), narrow.lock("z"));
            CompletableFuture<Integer> counted = CompletableFuture.supplyAsync(
                    () -> {
                        lock.lock();
                        int count = lock.holdCount();
                        lock.unlock();
                        return count;
                    },
                    only);
            assertThat(counted.get(Patience.seconds(), TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(slow.delayedReplies()).isGreaterThanOrEqualTo(6);
            assertFree("x", "y", "z");
        } finally {
            only.shutdown();
        }
    }

    /** The same while the first answers are waited for: the interrupt ends the wait, or is kept for later. */
    @Test
    void anInterrupt_endsTheWaitForTheFirstAnswers_orIsKept() throws Exception {
        interrupts(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void anInterrupt_endsTheWaitForTheFirstAnswersSoon() throws Exception {
        interrupts(Duration.ofMillis(100));
    }

    private void interrupts(Duration limit) throws Exception {
        DistributedLock mixed = MultiLock.of(client.lock("a"), sick.lock("m"));
        switchable.mode(SwitchableStore.Mode.SILENT);
        Caller<Boolean> interruptible =
                Caller.startAction(mixed::lockInterruptibly).awaitBlocked();
        try (Stopwatch watch = new Stopwatch()) {
            interruptible.interrupt();
            assertThat(interruptible.failure()).isInstanceOf(InterruptedException.class);
            watch.assertAtMost(limit, "the return of an interrupted caller");
        }
        assertFree("a");
        Caller<Boolean> patient = Caller.start(() -> {
                    mixed.lock();
                    mixed.unlock();
                    return Thread.interrupted();
                })
                .awaitBlocked();
        patient.interrupt();
        switchable.mode(SwitchableStore.Mode.HEALTHY);
        assertThat(patient.result()).as("interrupted afterwards").isTrue();
        assertFree("a", "m");
    }

    @Test
    void anInterrupt_isKept() throws Exception {
        Lease lease = abc.acquire();
        Thread.currentThread().interrupt();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(Thread.interrupted()).isTrue();
        assertFree("a", "b", "c");
    }
}
