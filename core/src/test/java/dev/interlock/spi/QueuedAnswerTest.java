package dev.interlock.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * Whether a verb in a store's line is sent, or withdrawn: never both. That it holds for threads, too, is for the races
 * to show.
 */
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

    /** By a store that has no connection to send it on: nothing has to be taken back. */
    @Test
    void failedInTheLine_itWasNeverSent() {
        answer.completeExceptionally(new IOException("refused"));
        assertThat(answer.withdraw()).isTrue();
        assertThat(answer.begin()).isFalse();
    }

    @Test
    void failedOnItsWay_itWasSent() {
        answer.begin();
        answer.completeExceptionally(new IOException("reset"));
        assertThat(answer.withdraw()).isFalse();
    }

    @Test
    void cancelled_itIsNotSent() {
        answer.cancel(false);
        assertThat(answer.begin()).isFalse();
        assertThat(answer.withdraw()).isTrue();
    }
}
