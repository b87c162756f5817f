package dev.interlock.engine;

import static dev.interlock.engine.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A claim that is listed in the store behind its own release would swallow a wake. Invariants I5 and I6. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForgottenWaiterTest {

    private static final LockId NAME = LockId.lock("n");

    /** No time passes here. */
    private static final Duration LONG = Duration.ofDays(1);

    private final MemoryStore memory = new MemoryStore(() -> 1);
    private final LateStore late = new LateStore(memory);
    private final EngineCore engine = new EngineCore(
            late,
            new EngineConfig("", LONG, LONG, LONG, Duration.ZERO, List.of(), Runnable::run),
            () -> 1,
            watch -> new Thread(() -> {}));
    private final EngineLock lock = new EngineLock(engine, new ThreadHolds(), NAME, LockOptions.defaults());

    private static Claim claim(long number) {
        return Claim.of(NAME, OwnerId.of("other", number), Duration.ofDays(1), new Party("h", 1, "a", "t"));
    }

    @Test
    void aClaimThatIsListedAfterItsRelease_isReleasedAgain() {
        MemoryStore other = memory.session();
        other.acquire(claim(1));
        CompletableFuture<Lease> waiting = lock.acquireAsync().toCompletableFuture();
        assertThat(waiters()).isEqualTo(1);
        late.gate = new CountDownLatch(1);
        // The release wakes the waiter, whose request goes on its way in that thread, and stops there.
        CompletableFuture<?> releasing = CompletableFuture.runAsync(() -> other.release(claim(1)));
        await().until(() -> late.stopped);

        waiting.cancel(false);
        other.acquire(claim(2));
        late.gate.countDown();
        releasing.join();

        assertThat(waiters()).isZero();
        assertThat(engine.arbiters().count()).isZero();
    }

    private int waiters() {
        LockStatus status = memory.inspect(NAME).toCompletableFuture().join();
        return status.waiters().size();
    }

    /** Lets requests to acquire stand before a gate. */
    private static final class LateStore extends ForwardingStore {
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private volatile boolean stopped;

        LateStore(MemoryStore delegate) {
            super(delegate);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            stopped = gate.getCount() > 0;
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return delegate.acquire(claim);
        }
    }
}
