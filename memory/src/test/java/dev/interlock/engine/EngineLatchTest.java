package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLatch;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The verbs of a latch: what they return, and that a wait leaves no claim behind. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineLatchTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final Simulation one = Simulation.start();
    private final DistributedLatch latch = new EngineLatch(one.core, new LockId("n", LockKind.LATCH));

    @Test
    void count_isSetOnce_andGoesDownToZero() {
        assertThat(latch.trySetCount(2)).isTrue();
        assertThat(latch.trySetCount(5)).isFalse();
        assertThat(latch.getCount()).isEqualTo(2);
        latch.countDown();
        latch.countDown();
        assertThat(latch.getCount()).isZero();
    }

    @Test
    void wait_atZero_isOver_andLeavesNothing() throws Exception {
        latch.await();
        assertThat(latch.await(HOUR)).isTrue();
        assertThat(latch.awaitAsync().toCompletableFuture()).isCompleted();
        assertThat(latch.awaitAsync(HOUR).toCompletableFuture()).isCompletedWithValue(true);
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void wait_thatIsOverBeforeTheCountIsZero_saysSo() throws Exception {
        latch.trySetCount(1);
        assertThat(latch.await(Duration.ZERO)).isFalse();
        assertThat(latch.awaitAsync(Duration.ZERO).toCompletableFuture()).isCompletedWithValue(false);
        assertThat(one.isAtRest()).isTrue();
        assertThat(latch.inspect().waiters()).isEmpty();
    }

    @Test
    void wait_ofAnInterruptedThread_isNotBegun() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> latch.await(HOUR)).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(latch::await).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(one.store.count(Verb.ACQUIRE)).isZero();
    }

    @Test
    void latch_saysItsName() {
        assertThat(latch.name()).isEqualTo("n");
        assertThat(latch).hasToString("DistributedLatch[name=n]");
    }
}
