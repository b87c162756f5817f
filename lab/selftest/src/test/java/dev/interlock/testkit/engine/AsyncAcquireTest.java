package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.LockFixture;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Acquisition without a blocked thread: all forms, and the threads that complete them. */
class AsyncAcquireTest extends EngineSuite {

    private static <T> T done(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            if (e.getCause() instanceof StoreUnavailableException silence) {
                throw silence;
            }
            throw new AssertionError("The stage did not complete as it should: " + e, e);
        }
    }

    @Test
    void async_free_isALease_byEveryMethod() throws Exception {
        DistributedLock lock = lock();
        assertHeldAndRelease(lock, done(lock.acquireAsync()));
        assertHeldAndRelease(lock, done(lock.acquireAsync(LONG)));
        assertHeldAndRelease(lock, done(lock.tryAcquireAsync()).orElseThrow());
        assertHeldAndRelease(lock, done(lock.tryAcquireAsync(Patience.limit())).orElseThrow());
        assertHeldAndRelease(
                lock, done(lock.tryAcquireAsync(Patience.limit(), LONG)).orElseThrow());
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

    /** P03: no thread owns a handle, so completions on one thread keep each other out, and another may release. */
    @Test
    void P03_async_acquisitionsOnOneThread_areNeverInsideTogether() throws Exception {
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
                assertThat(one.get(Patience.seconds(), TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
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
