package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Lease;
import dev.interlock.LockOptions;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fences that a store grants with, as somebody may have written them into it. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineFenceTest {

    private static final long LARGEST = (1L << 53) - 1;

    private final Simulation one = Simulation.start();

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, LARGEST + 1, 1L << 54, Long.MAX_VALUE})
    void aFenceThatMakesNoToken_isRefused_andTheClaimTakenBack(long fence) {
        one.store.fence(fence);

        CompletableFuture<Lease> lock = one.acquire("n");

        assertThatThrownBy(lock::join)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'n'")
                .hasMessageContaining("fence=" + fence);
        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void aSemaphore_refusesItToo() {
        one.store.fence(LARGEST + 1);

        CompletableFuture<Lease> permit =
                one.semaphore("n", 2, LockOptions.defaults()).acquireAsync(1).toCompletableFuture();

        assertThatThrownBy(permit::join).hasCauseInstanceOf(IllegalStateException.class);
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void theLargestFence_hasRoomForAllHandOvers() {
        one.store.fence(LARGEST);

        assertThat(one.acquire("n").join().token() + LockOptions.MAX_HAND_OVERS).isEqualTo(Long.MAX_VALUE);
    }
}
