package dev.interlock.barrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Lease;
import dev.interlock.StoreUnavailableException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is asked for is waited for as long as it is wanted, and given back if it comes too late. */
class StagesTest {

    private static final Duration LOOK = Duration.ofMillis(1);

    private final AtomicInteger released = new AtomicInteger();
    private final CompletableFuture<Optional<Lease>> asked = new CompletableFuture<>();
    private final Lease lease = (Lease) Proxy.newProxyInstance(
            Lease.class.getClassLoader(), new Class<?>[] {Lease.class}, (proxy, method, args) -> {
                released.incrementAndGet();
                return null;
            });

    @Test
    void looks_doNotEndTheWait() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        Lease got = Stages.await(asked, LOOK, () -> {
            if (looks.incrementAndGet() == 5) {
                asked.complete(Optional.of(lease));
            }
            return true;
        });
        assertThat(got).isSameAs(lease);
        assertThat(looks).hasValue(5);
        assertThat(released).hasValue(0);
    }

    @Test
    void whatIsWantedNoMore_isGivenUp_orGivenBack() throws Exception {
        assertThat(Stages.await(asked, LOOK, () -> false)).isNull();
        assertThat(asked).isCancelled();

        CompletableFuture<Optional<Lease>> late = new CompletableFuture<>();
        assertThat(Stages.await(late, LOOK, () -> !late.complete(Optional.of(lease))))
                .isNull();
        assertThat(released).hasValue(1);
    }

    @Test
    void refusal_failureAndInterrupt_areWhatTheyAre() throws Exception {
        assertThat(Stages.await(CompletableFuture.completedFuture(Optional.empty()), LOOK, () -> true))
                .isNull();
        CompletableFuture<Optional<Lease>> silent = new CompletableFuture<>();
        silent.completeExceptionally(new StoreUnavailableException("silent", null));
        assertThatThrownBy(() -> Stages.await(silent, LOOK, () -> true)).isInstanceOf(StoreUnavailableException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Stages.await(asked, LOOK, () -> true)).isInstanceOf(InterruptedException.class);
        assertThat(asked).isCancelled();
    }
}
