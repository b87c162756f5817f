package dev.interlock.zookeeper;

import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Requests of barriers, in blocking form: what the engine does for claims. Thread-safe. */
final class BarrierCalls {

    /** How long a call waits for an answer of ZooKeeper, also beyond its own time: it must know what others see. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How long a call waits for an answer that it does not need. */
    private static final Duration SHORT_PATIENCE = Duration.ofMillis(2_500);

    /** When somebody who waits looks although nothing has told of a change. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private static final Duration REPEAT = Duration.ofMillis(200);

    /** Longer than this is for ever: a sum of nanoseconds must not overflow. */
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    /** Sends a request on the event loop. */
    interface Requests {
        <T> CompletableFuture<T> run(Supplier<CompletableFuture<T>> request);
    }

    private final Requests requests;
    private final Runnable ensureMayWait;

    BarrierCalls(Requests requests, Runnable ensureMayWait) {
        this.requests = requests;
        this.ensureMayWait = ensureMayWait;
    }

    /** The answer to a request, which is repeated until there is one. */
    <T> T ask(Supplier<CompletableFuture<T>> request) throws InterruptedException {
        ensureMayWait.run();
        long begun = System.nanoTime();
        while (true) {
            long left = PATIENCE.toNanos() - (System.nanoTime() - begun);
            try {
                return requests.run(request).get(Math.max(0, left), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                throw silent(null);
            } catch (ExecutionException e) {
                Throwable cause = LockStore.causeOf(e);
                if (cause instanceof IllegalStateException refused) {
                    throw refused;
                }
                if (cause instanceof StoreUnavailableException refused && refused.getCause() != null) {
                    throw refused;
                }
                if (left <= REPEAT.toNanos()) {
                    throw silent(cause);
                }
            }
            TimeUnit.NANOSECONDS.sleep(REPEAT.toNanos());
        }
    }

    private static StoreUnavailableException silent(@Nullable Throwable cause) {
        return new StoreUnavailableException(
                "ZooKeeper has not answered a request of a barrier for " + PATIENCE.toSeconds() + " s", cause);
    }

    /** Looks until the wait is over, for at most so long; null for no limit. Returns whether it is over. */
    boolean await(Supplier<CompletableFuture<BarrierView>> look, @Nullable Duration wait) throws InterruptedException {
        long begun = System.nanoTime();
        Duration limit = wait == null || wait.compareTo(FOR_EVER) > 0 ? FOR_EVER : wait;
        while (true) {
            BarrierView seen = ask(look);
            Duration left = left(limit, begun);
            if (seen.isOver() || left.isNegative() || left.isZero()) {
                return seen.isOver();
            }
            try {
                Duration pause = left.compareTo(LOOK_AGAIN) < 0 ? left : LOOK_AGAIN;
                seen.change().get(pause.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                // Looks again, also if the time is over.
            } catch (ExecutionException e) {
                throw new AssertionError("A change never fails", e);
            }
        }
    }

    private static Duration left(Duration limit, long begunNanos) {
        return limit.minusNanos(System.nanoTime() - begunNanos);
    }

    /** Sends a request, and waits for a moment for its answer. The request goes on if there is none. */
    void send(Supplier<CompletableFuture<Boolean>> request) {
        CompletableFuture<Boolean> answer = requests.run(request);
        try {
            ensureMayWait.run();
            answer.get(SHORT_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | IllegalStateException e) {
            // It is repeated, or ends with the session.
        }
    }
}
