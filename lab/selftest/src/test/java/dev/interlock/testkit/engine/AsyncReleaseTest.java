package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import dev.interlock.testkit.Patience;
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

/** Release without a blocked thread: outcomes, and the threads that complete it. */
class AsyncReleaseTest extends EngineSuite {

    private static ReleaseOutcome outcome(CompletionStage<ReleaseOutcome> stage) throws Exception {
        return stage.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
    }

    @Test
    void asyncRelease_endsTheLeaseAtOnce_andFreesTheLock() throws Exception {
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
    void asyncRelease_handedOver_isDoneAtOnce() throws Exception {
        DistributedLock lock = lock();
        Lease lease = lock.acquire();
        CompletableFuture<Lease> next = lock.acquireAsync().toCompletableFuture();

        assertThat(lease.releaseAsync().toCompletableFuture()).isCompletedWithValue(ReleaseOutcome.RELEASED);

        assertThat(outcome(next.get(Patience.seconds(), TimeUnit.SECONDS).releaseAsync()))
                .isEqualTo(ReleaseOutcome.RELEASED);
    }

    /** Of two claims that were ended in the store before this client heard of it, both ways of release say the same. */
    @Test
    void asyncRelease_ofALostLease_saysWhatAReleaseSays() throws Exception {
        Interlock client = clients().open();
        Interlock operator = clients().open();
        List<Lease> lost = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Lease lease = client.lock(clients().name()).acquire(LONG);
            assertThat(operator.administration().forceUnlock(lease.name())).isTrue();
            lost.add(lease);
        }

        ReleaseOutcome blocking = lost.get(0).release();

        assertThat(blocking.isLost()).isTrue();
        assertThat(outcome(lost.get(1).releaseAsync())).isEqualTo(blocking);
    }

    @Test
    void asyncRelease_cancelled_goesOn() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        Lease lease = lock.acquire(LONG);

        lease.releaseAsync().toCompletableFuture().cancel(true);

        assertThat(lease.isValid()).isFalse();
        other.tryAcquire(Patience.limit()).orElseThrow().close();
    }

    /**
     * P24: what depends on a release runs on the executor of the user's, or in the thread that asks for it when all is
     * over.
     */
    @Test
    void P24_asyncRelease_completesOnTheCallbackExecutor() throws Exception {
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
                one.get(Patience.seconds(), TimeUnit.SECONDS);
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
