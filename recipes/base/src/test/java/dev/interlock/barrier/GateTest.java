package dev.interlock.barrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLatch;
import dev.interlock.StoreUnavailableException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A party looks as often as it likes, and its wait in the store is one. */
class GateTest {

    private static final Duration LOOK = Duration.ofMillis(1);
    private static final Duration AMPLE = Duration.ofMinutes(5);

    /** The waits in the store, as the latch has begun them. */
    private final List<CompletableFuture<Void>> waits = new ArrayList<>();

    private final DistributedLatch latch = (DistributedLatch) Proxy.newProxyInstance(
            DistributedLatch.class.getClassLoader(), new Class<?>[] {DistributedLatch.class}, (proxy, method, args) -> {
                assertThat(method.getName()).isEqualTo("awaitAsync");
                waits.add(new CompletableFuture<>());
                return waits.get(waits.size() - 1);
            });

    private final Gate gate = new Gate(latch);

    @Test
    void waitGoesOnFromLookToLook_untilItIsOpen() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(gate.await(LOOK)).isFalse();
        }
        assertThat(waits).hasSize(1);
        waits.get(0).complete(null);
        assertThat(gate.await(AMPLE)).isTrue();

        assertThat(gate.await(LOOK)).isFalse();
        assertThat(waits).hasSize(2);
    }

    @Test
    void waitThatHasFailed_saysSo_andIsBegunAnew() throws Exception {
        assertThat(gate.await(LOOK)).isFalse();
        waits.get(0).completeExceptionally(new StoreUnavailableException("silent", null));
        assertThatThrownBy(() -> gate.await(AMPLE)).isInstanceOf(StoreUnavailableException.class);

        assertThat(gate.await(LOOK)).isFalse();
        assertThat(waits).hasSize(2);
    }

    @Test
    void close_givesTheWaitUp() throws Exception {
        gate.close();
        assertThat(waits).isEmpty();
        assertThat(gate.await(LOOK)).isFalse();
        gate.close();
        assertThat(waits.get(0)).isCancelled();
    }
}
