package dev.interlock.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whether a verb in a store's line is sent, or withdrawn: never both. */
class QueuedAnswerTest {

    private final QueuedAnswer<String> answer = new QueuedAnswer<>();

    @Test
    void inTheLine_itIsWithdrawn_andNeverSent() {
        assertThat(answer.isWanted()).isTrue();
        assertThat(answer.withdraw()).isTrue();
        assertThat(answer).isCancelled();
        assertThat(answer.isWanted()).isFalse();
        assertThat(answer.begin()).isFalse();
    }

    @Test
    void sent_itIsNotWithdrawn_andItsAnswerIsHeard() {
        assertThat(answer.begin()).isTrue();
        assertThat(answer.isWanted()).isTrue();
        assertThat(answer.withdraw()).isFalse();
        assertThat(answer).isNotDone();
        assertThat(answer.isWanted()).isFalse();
        assertThat(answer.complete("late")).isTrue();
    }

    /** Done on the thread of a caller, past the line. */
    @Test
    void answered_itIsNotWithdrawn() {
        answer.complete("at once");
        assertThat(answer.withdraw()).isFalse();
        assertThat(answer).isCompletedWithValue("at once");
    }

    /** Whoever cancels, as the contract has it, learns nothing, and it is not sent. */
    @Test
    void cancelled_itIsNotSent() {
        answer.cancel(false);
        assertThat(answer.begin()).isFalse();
        assertThat(answer.withdraw()).isFalse();
    }

    @Test
    void atTheSameMoment_oneOfTheTwoHappens() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        for (int round = 0; round < 2_000; round++) {
            QueuedAnswer<String> fresh = new QueuedAnswer<>();
            CompletableFuture<Boolean> sent = CompletableFuture.supplyAsync(() -> {
                meet(together);
                return fresh.begin();
            });
            meet(together);
            boolean withdrawn = fresh.withdraw();
            assertThat(sent.get(10, TimeUnit.SECONDS)).isNotEqualTo(withdrawn);
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
