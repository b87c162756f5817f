package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Release without a blocked thread: what {@code release} does, and says. */
interface AsyncReleaseContract extends LockFixture {

    private static ReleaseOutcome outcome(CompletionStage<ReleaseOutcome> stage) throws Exception {
        return stage.toCompletableFuture().get(AMPLE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    default void asyncRelease_endsTheLeaseAtOnce_andFreesTheLock() throws Exception {
        DistributedLock lock = lock();
        Lease lease = lock.acquire();

        CompletionStage<ReleaseOutcome> released = lease.releaseAsync();

        assertThat(lease.isValid()).isFalse();
        assertThat(outcome(released)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lock.isLocked()).isFalse();
        assertThat(lease.releaseAsync().toCompletableFuture()).isCompletedWithValue(ReleaseOutcome.ALREADY_RELEASED);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
    }

    @Test
    default void asyncRelease_handedOver_isDoneAtOnce() throws Exception {
        DistributedLock lock = lock();
        Lease lease = lock.acquire();
        CompletableFuture<Lease> next = lock.acquireAsync().toCompletableFuture();

        assertThat(lease.releaseAsync().toCompletableFuture()).isCompletedWithValue(ReleaseOutcome.RELEASED);

        assertThat(outcome(next.get(AMPLE.toSeconds(), TimeUnit.SECONDS).releaseAsync()))
                .isEqualTo(ReleaseOutcome.RELEASED);
    }

    /** Of two claims that were ended in the store before this client heard of it, both ways of release say the same. */
    @Test
    default void asyncRelease_ofALostLease_saysWhatAReleaseSays() throws Exception {
        Interlock client = clients().open();
        Interlock operator = clients().open();
        List<Lease> lost = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Lease lease = client.lock(clients().name()).acquire(LONG);
            assertThat(operator.lock(lease.name()).forceUnlock()).isTrue();
            lost.add(lease);
        }

        ReleaseOutcome blocking = lost.get(0).release();

        assertThat(blocking.isLost()).isTrue();
        assertThat(outcome(lost.get(1).releaseAsync())).isEqualTo(blocking);
    }

    @Test
    default void asyncRelease_cancelled_goesOn() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        Lease lease = lock.acquire(LONG);

        lease.releaseAsync().toCompletableFuture().cancel(true);

        assertThat(lease.isValid()).isFalse();
        other.tryAcquire(AMPLE).orElseThrow().close();
    }

    /**
     * With a store that does not answer the outcome comes within the time of a release, and the lock is free when the
     * store answers again.
     */
    @Test
    default void asyncRelease_withASilentStore_isUnconfirmed_inTime() throws Exception {
        FaultyStore faulty = faultyStore();
        Interlock client = clients().open(faulty.store(), b -> b.attemptTimeout(Duration.ofMillis(200))
                .closeTimeout(Duration.ofMillis(400)));
        DistributedLock lock = client.lock(clients().name());
        DistributedLock other = elsewhere(lock);
        Lease lease = lock.acquire(LONG);
        // A store may tidy up after its first answer; the next one comes when that is done.
        assertThat(LockFixture.answer(lock::isLocked)).isTrue();
        faulty.blackHole().strike();
        try (Stopwatch watch = new Stopwatch()) {
            assertThat(outcome(lease.releaseAsync())).isEqualTo(ReleaseOutcome.UNCONFIRMED);
            watch.assertAtMost(Duration.ofMillis(300), "a release over a silent store, with a limit of 200 ms");
        }
        assertThat(faulty.blackHole().hits()).isPositive();
        assertThat(other.isLocked()).isTrue();
        faulty.blackHole().heal();
        other.tryAcquire(AMPLE).orElseThrow().close();
    }

    /** P27: what is on its way when the client closes arrives, and who waits for it is told. */
    @Test
    default void P27_asyncRelease_isAwaitedByClose() throws Exception {
        Interlock client = clients().open();
        Interlock observer = clients().open();
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            leases.add(client.lock(clients().name()).acquire(LONG));
        }
        List<CompletionStage<ReleaseOutcome>> released =
                leases.stream().map(Lease::releaseAsync).toList();

        client.close();

        assertThat(leases).noneMatch(lease -> observer.lock(lease.name()).isLocked());
        for (CompletionStage<ReleaseOutcome> one : released) {
            assertThat(outcome(one)).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    /**
     * P24: what depends on a release runs on the executor of the user's, or in the thread that asks for it when all is
     * over.
     */
    @Test
    default void P24_asyncRelease_completesOnTheCallbackExecutor() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2, work -> new Thread(work, "of-the-user"));
        try {
            Interlock client = clients().open(b -> b.callbackExecutor(executor));
            Set<String> threads = ConcurrentHashMap.newKeySet();
            List<CompletableFuture<?>> told = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                CompletionStage<ReleaseOutcome> released =
                        client.lock(clients().name()).acquire().releaseAsync();
                for (CompletionStage<?> way : waysToDependOn(released, threads)) {
                    told.add(way.toCompletableFuture());
                }
            }
            for (CompletableFuture<?> one : told) {
                one.get(AMPLE.toSeconds(), TimeUnit.SECONDS);
            }
            assertThat(threads).isSubsetOf("of-the-user", Thread.currentThread().getName());
        } finally {
            executor.shutdown();
        }
    }

    private static List<CompletionStage<?>> waysToDependOn(
            CompletionStage<ReleaseOutcome> released, Set<String> threads) {
        Runnable note = () -> threads.add(Thread.currentThread().getName());
        CompletableFuture<Void> never = new CompletableFuture<>();
        return Stream.<CompletionStage<?>>of(
                        released.thenRun(note),
                        released.thenAccept(outcome -> note.run()),
                        released.whenComplete((outcome, failure) -> note.run()),
                        released.thenCompose(outcome -> CompletableFuture.runAsync(note, Runnable::run)),
                        released.runAfterEither(never, note),
                        never.runAfterEither(released, note),
                        CompletableFuture.allOf(released.toCompletableFuture()).thenRun(note),
                        CompletableFuture.anyOf(never, released.toCompletableFuture())
                                .thenRun(note))
                .toList();
    }
}
