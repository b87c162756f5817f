package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.barrier.BrokenGenerationException;
import dev.interlock.barrier.DistributedBarrier;
import dev.interlock.memory.MemoryStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.store.FlakyStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A barrier says that a party is missing only if the store has said so. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BarrierAnswersTest {

    private static final int SEEDS = 4;

    /** So often an answer is lost, of about fifteen that an arrival needs. */
    private static final double LOST = 0.3;

    /** What the latch of the end has then. */
    private static final int BROKEN_BY_RESET = 7;

    /** All others are there: however late the store says so, the last party passes, if it does not wait for anybody. */
    @Test
    void lastParty_thatDoesNotWait_passes_thoughAnswersAreLost() throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            MemoryStore memory = new MemoryStore();
            FlakyStore flaky = new FlakyStore(memory.session(), seed, FlakyStore.Rates.NONE.withDroppedReplies(LOST));
            try (Interlock first = Interlock.builder(memory.session()).build();
                    Interlock last = Interlock.builder(flaky)
                            .attemptTimeout(Duration.ofMillis(20))
                            .storeTimeout(Patience.FULL)
                            .build()) {
                Caller<Long> waiting = Caller.start(DistributedBarrier.of(first, "b", 2)::await);
                await().pollInterval(Duration.ofMillis(1)).until(() -> !first.latch("barrier-gate:0:b")
                        .inspect()
                        .waiters()
                        .isEmpty());

                long passed = DistributedBarrier.of(last, "b", 2).await(Duration.ZERO);

                assertThat(waiting.result()).as("%s", flaky).isEqualTo(passed);
            }
        }
    }

    /** A party that is interrupted after the end, but before it knows of that, learns of both. */
    @Test
    void interrupt_thatComesAfterAnotherHasBrokenTheGeneration_stays() {
        MemoryStore memory = new MemoryStore();
        try (Interlock client = Interlock.builder(memory.session()).build()) {
            DistributedBarrier barrier = DistributedBarrier.of(client, "b", 2);
            Caller<Boolean> waiting = Caller.start(() -> {
                assertThatThrownBy(barrier::await).isInstanceOf(BrokenGenerationException.class);
                return Thread.currentThread().isInterrupted();
            });
            await().pollInterval(Duration.ofMillis(1)).until(() -> !client.latch("barrier-gate:0:b")
                    .inspect()
                    .waiters()
                    .isEmpty());
            // As somebody else does who has not yet opened the gate.
            assertThat(client.latch("barrier-end:" + barrier.generation() + ":b")
                            .trySetCount(BROKEN_BY_RESET))
                    .isTrue();
            waiting.interrupt();
            assertThat(waiting.result()).as("interrupted").isTrue();
        }
    }
}
