package dev.interlock.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.StoreUnavailableException;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Claim;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store that gives up waiting for its server is asked again; one that fails at once is not. */
class BlockingClientTest {

    private final AtomicReference<Fault> fault = new AtomicReference<>();

    private final BlockingClient client = new BlockingClient(new WrappedStore(new MemoryStore()) {
        @Override
        <T> CompletionStage<T> ask(Verb verb, Supplier<CompletionStage<T>> request) {
            Fault now = fault.getAndSet(null);
            return now == null ? request.get() : now.instead(request);
        }
    });

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void requestThatTheStoreGivesUp_isRepeated() {
        Claim claim = client.claim("x");

        fault.set(late(false));
        client.granted(claim);
        fault.set(late(true));
        assertThat(client.inspect("x").isLocked()).isTrue();
        fault.set(late(false));
        assertThat(client.release(claim)).isTrue();
    }

    @Test
    void executedReleaseThatWasGivenUp_saysWhetherItWasGranted() {
        client.hold("x");
        Claim waiting = client.await("x", Duration.ZERO);

        fault.set(late(true));
        assertThat(client.release(waiting)).isFalse();

        Claim held = client.hold("y");
        fault.set(late(true));
        assertThat(client.release(held)).isTrue();
        assertThat(client.inspect("y").isLocked()).isFalse();
    }

    @Test
    void failureAtOnce_isNotRepeated() {
        fault.set(new Fault() {
            @Override
            public <T> CompletionStage<T> instead(Supplier<CompletionStage<T>> request) {
                return CompletableFuture.failedFuture(givenUp());
            }
        });

        assertThatThrownBy(() -> client.acquire(client.claim("x"))).hasStackTraceContaining("did not answer");
        assertThat(client.inspect("x").isLocked()).isFalse();
    }

    /** A failure that comes when a store's time limit is over, after the request was executed or before. */
    private static Fault late(boolean executed) {
        return new Fault() {
            @Override
            public <T> CompletionStage<T> instead(Supplier<CompletionStage<T>> request) {
                if (executed) {
                    request.get().toCompletableFuture().join();
                }
                CompletableFuture<T> failure = new CompletableFuture<>();
                CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS)
                        .execute(() -> failure.completeExceptionally(givenUp()));
                return failure;
            }
        };
    }

    private static StoreUnavailableException givenUp() {
        return new StoreUnavailableException("The server did not answer", null);
    }

    private interface Fault {

        <T> CompletionStage<T> instead(Supplier<CompletionStage<T>> request);
    }
}
