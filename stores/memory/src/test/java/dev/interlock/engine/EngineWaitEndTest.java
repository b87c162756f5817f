package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Lease;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An observer learns who waits, and can end a wait. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineWaitEndTest {

    private final RuntimeException reason = new IllegalStateException("of the observer");

    private final Ender ender = new Ender();
    private final Simulation one = Simulation.start(ender);

    @Test
    void whoIsServedAtOnce_doesNotWait() {
        one.acquire("n").join().close();
        one.lock("n").lock();
        one.lock("n").lock();

        assertThat(ender.blocked).isEmpty();
    }

    @Test
    void singleAttempt_doesNotWait() {
        Lease held = one.acquire("n").join();

        assertThat(one.tryAcquire("n", Duration.ZERO).join()).isEmpty();
        assertThat(ender.blocked).isEmpty();
        held.close();
    }

    @Test
    void futureThatWaits_getsTheException_once_andLeavesNothing() {
        Lease held = one.acquire("n").join();
        CompletableFuture<Lease> waiting = one.acquire("n");
        CompletableFuture<Lease> behind = one.acquire("n");
        assertThat(ender.blocked).containsExactly(false, false);

        assertThat(ender.ends.get(0).test(reason)).isTrue();

        assertThat(waiting.handle((lease, failure) -> failure).join()).isSameAs(reason);
        assertThat(ender.ends.get(0).test(reason)).as("decided").isFalse();
        held.close();
        behind.join().close();
        assertThat(ender.ends.get(1).test(reason)).as("granted").isFalse();
        assertThat(one.isAtRest()).isTrue();
        assertThat(one.inspect("n").waiters()).isEmpty();
    }

    @Test
    void claimThatWaitsInTheStore_isWithdrawn() {
        Simulation other = one.neighbour();
        Lease held = other.acquire("n").join();
        CompletableFuture<Lease> waiting = one.acquire("n");
        assertThat(one.inspect("n").waiters()).hasSize(1);

        assertThat(ender.ends.get(0).test(reason)).isTrue();

        assertThat(waiting).isCompletedExceptionally();
        assertThat(one.inspect("n").waiters()).isEmpty();
        assertThat(one.isAtRest()).isTrue();
        held.close();
    }

    @Test
    void threadThatWaits_throwsTheException() throws Exception {
        Lease held = one.acquire("n").join();
        FutureTask<Boolean> blocked = new FutureTask<>(() -> {
            assertThatThrownBy(() -> one.lock("n").lock()).isSameAs(reason);
            return one.lock("n").isHeldByCurrentThread();
        });
        new Thread(blocked, "blocked").start();
        while (ender.ends.isEmpty()) {
            Thread.onSpinWait();
        }

        assertThat(ender.ends.get(0).test(reason)).isTrue();

        assertThat(blocked.get()).isFalse();
        assertThat(ender.blocked).containsExactly(true);
        held.close();
    }

    @Test
    void observer_seesTheOptions() {
        LockOptions options = LockOptions.builder().participant("job").build();
        one.lock("n", options).lock();

        assertThat(ender.options).containsExactly(options);
    }

    /** Writes down who waits, and how to end that. */
    private static final class Ender implements LockObserver {

        final List<LockOptions> options = new ArrayList<>();
        final List<Boolean> blocked = new CopyOnWriteArrayList<>();
        final List<Predicate<RuntimeException>> ends = new CopyOnWriteArrayList<>();

        @Override
        public Acquisition acquiring(String name, LockKind kind, Mode mode) {
            throw new AssertionError("The client calls the form with options");
        }

        @Override
        public Acquisition acquiring(String name, LockKind kind, Mode mode, LockOptions of) {
            options.add(of);
            return new Acquisition() {
                @Override
                public void waiting(boolean threadWaits, Predicate<RuntimeException> end) {
                    blocked.add(threadWaits);
                    ends.add(end);
                }
            };
        }
    }
}
