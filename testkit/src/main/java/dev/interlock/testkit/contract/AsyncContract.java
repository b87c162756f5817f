package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Effort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Acquisition without a blocked thread. */
interface AsyncContract extends LockFixture {

    private static <T> T done(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(AMPLE.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            if (e.getCause() instanceof StoreUnavailableException silence) {
                throw silence;
            }
            throw new AssertionError("The stage did not complete as it should: " + e, e);
        }
    }

    @Test
    default void async_free_isALease_byEveryMethod() throws Exception {
        DistributedLock lock = lock();
        assertHeldAndRelease(lock, done(lock.acquireAsync()));
        assertHeldAndRelease(lock, done(lock.acquireAsync(LONG)));
        assertHeldAndRelease(lock, done(lock.tryAcquireAsync()).orElseThrow());
        assertHeldAndRelease(lock, done(lock.tryAcquireAsync(AMPLE)).orElseThrow());
        assertHeldAndRelease(lock, done(lock.tryAcquireAsync(AMPLE, LONG)).orElseThrow());
        assertHeldAndRelease(
                lock,
                LockFixture.answerOf(lock, () -> done(lock.tryAcquireAsync(Duration.ZERO, LONG)))
                        .orElseThrow());
    }

    private static void assertHeldAndRelease(DistributedLock lock, Lease lease) {
        assertThat(lease.isValid()).isTrue();
        assertThat(lock.isLocked()).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    default void async_heldByAnother_waits_orIsEmpty() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        Lease held = lock.acquire();
        assertThat(done(other.tryAcquireAsync())).isEmpty();
        assertThat(LockFixture.answer(() -> done(other.tryAcquireAsync(BRIEF)))).isEmpty();
        assertThat(LockFixture.answer(() -> done(other.tryAcquireAsync(BRIEF, LONG))))
                .isEmpty();
        CompletionStage<Lease> waiting = other.acquireAsync();
        CompletionStage<Optional<Lease>> timed = other.tryAcquireAsync(AMPLE);
        assertThat(waiting.toCompletableFuture()).isNotDone();

        held.close();

        done(waiting).close();
        done(timed).orElseThrow().close();
    }

    /** I6: cancelling leaves nothing behind, and a grant on its way is taken back. */
    @Test
    default void async_cancelled_leavesNothing() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        Lease held = lock.acquire();
        CompletableFuture<Lease> waiting = other.acquireAsync().toCompletableFuture();
        if (storeListsWaiters()) {
            await().until(() -> !lock.inspect().waiters().isEmpty());
        }

        waiting.cancel(true);

        await().until(() -> lock.inspect().waiters().isEmpty());
        held.close();
        await().during(BRIEF).until(() -> !lock.isLocked());
    }

    @Tag(Effort.SCALED)
    @Test
    default void async_cancelledAtAnyMoment_freesItself() throws Exception {
        DistributedLock lock = lock();
        for (int i = 0; i < Effort.pick(100, 5000); i++) {
            CompletableFuture<Lease> asked = lock.acquireAsync().toCompletableFuture();
            if (i % 3 == 0) {
                Thread.onSpinWait();
            }
            if (!asked.cancel(true)) {
                asked.join().close();
            }
        }
        DistributedLock other = elsewhere(lock);
        other.tryAcquire(AMPLE).orElseThrow().close();
        // The question comes after thousands that have been cancelled.
        await().until(() -> LockFixture.answer(() -> !lock.isLocked()));
    }

    /** P03: no thread owns a handle, so completions on one thread keep each other out, and another may release. */
    @Test
    default void P03_async_acquisitionsOnOneThread_areNeverInsideTogether() throws Exception {
        ExecutorService loop = Executors.newSingleThreadExecutor();
        ExecutorService releaser = Executors.newSingleThreadExecutor();
        try {
            Interlock client = clients().open(b -> b.callbackExecutor(loop));
            DistributedLock lock = client.lock(clients().name());
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            Set<Thread> acquiring = ConcurrentHashMap.newKeySet();
            Set<Thread> releasing = ConcurrentHashMap.newKeySet();
            // A stage that is complete already would call the one who adds to it.
            Lease first = lock.acquire();
            List<CompletableFuture<ReleaseOutcome>> all = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                all.add(lock.acquireAsync()
                        .thenApply(lease -> {
                            acquiring.add(Thread.currentThread());
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            return lease;
                        })
                        .thenApplyAsync(
                                lease -> {
                                    releasing.add(Thread.currentThread());
                                    inside.decrementAndGet();
                                    return lease.release();
                                },
                                releaser)
                        .toCompletableFuture());
            }
            first.close();
            for (CompletableFuture<ReleaseOutcome> one : all) {
                assertThat(one.get(30, TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
            }
            assertThat(most).hasValue(1);
            assertThat(acquiring)
                    .containsExactly(loop.submit(Thread::currentThread).get());
            assertThat(releasing)
                    .containsExactly(releaser.submit(Thread::currentThread).get());
            await().until(() -> !lock.isLocked());
        } finally {
            loop.shutdownNow();
            releaser.shutdownNow();
        }
    }
}
