package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Acquisition without a blocked thread. */
interface AsyncContract extends LockFixture {

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
    default void async_heldByAnother_waits_orIsEmpty() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        Lease held = lock.acquire();
        assertThat(done(other.tryAcquireAsync())).isEmpty();
        assertThat(LockFixture.answer(() -> done(other.tryAcquireAsync(BRIEF)))).isEmpty();
        assertThat(LockFixture.answer(() -> done(other.tryAcquireAsync(BRIEF, LONG))))
                .isEmpty();
        CompletionStage<Lease> waiting = other.acquireAsync();
        CompletionStage<Optional<Lease>> timed = other.tryAcquireAsync(Patience.limit());
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
        other.tryAcquire(Patience.limit()).orElseThrow().close();
        // The question comes after thousands that have been cancelled.
        await().until(() -> LockFixture.answer(() -> !lock.isLocked()));
    }
}
