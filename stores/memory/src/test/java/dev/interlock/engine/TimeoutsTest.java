package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How the time for a reply follows the replies, and when a store is silent. */
class TimeoutsTest {

    private static final long MILLI = 1_000_000;

    private final Timeouts timeouts = new Timeouts(
            new EngineConfig(
                    "",
                    Duration.ofSeconds(3),
                    Duration.ofMillis(200),
                    Duration.ofSeconds(1),
                    Duration.ofMillis(50),
                    List.of(),
                    Runnable::run),
            new Random(1));

    @Test
    void reply_isWaitedFor_fourTimesAsLongAsTheSlowestOfLateTook() {
        assertThat(timeouts.replyNanos()).isEqualTo(200 * MILLI);
        timeouts.replyTook(100 * MILLI);
        assertThat(timeouts.replyNanos()).isEqualTo(400 * MILLI);
        timeouts.replyTook(MILLI);
        assertThat(timeouts.replyNanos()).as("a sixteenth less").isEqualTo(375 * MILLI);
    }

    @Test
    void reply_isWaitedFor_forHalfTheTimeOfSilenceAtMost() {
        for (int slow = 0; slow < 5; slow++) {
            timeouts.replyTook(1_000 * MILLI);
        }
        assertThat(timeouts.replyNanos()).isEqualTo(1_500 * MILLI);
    }

    @Test
    void jitter_takesOffAQuarterAtMost() {
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int i = 0; i < 1_000; i++) {
            long jittered = timeouts.jittered(100);
            least = Math.min(least, jittered);
            most = Math.max(most, jittered);
        }
        assertThat(least).isEqualTo(75);
        assertThat(most).isEqualTo(100);
    }
}
