package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** When a claim that waits asks again by itself, after replies that took this long. */
class RetryScheduleTest {

    private static final Duration SOON = Duration.ofMillis(10);

    private final Timeouts timeouts = new Timeouts(
            new EngineConfig(
                    "",
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(5),
                    List.of(),
                    Runnable::run),
            new Random(1));
    private final RetrySchedule schedule = new RetrySchedule();

    @Test
    void slowReplies_makeThePauseAsLong() {
        busyAfter(Duration.ofMillis(900));
        assertThat(busyAfter(Duration.ofMillis(800))).isEqualTo(Duration.ofMillis(800));
    }

    @Test
    void slowFirstReply_makesThePauseAsLong() {
        assertThat(busyAfter(Duration.ofMillis(900))).isEqualTo(Duration.ofMillis(900));
    }

    /** The store was away for a moment: what became free meanwhile is taken at once, and nobody is congested. */
    @Test
    void oneSlowReply_amongQuickOnes_makesNoPause() {
        busyAfter(Duration.ofMillis(1));
        assertThat(busyAfter(Duration.ofMillis(900))).isEqualTo(SOON);
        assertThat(busyAfter(Duration.ofMillis(900))).isEqualTo(Duration.ofMillis(900));
    }

    @Test
    void replyToTheFirstRequestOfANewClaim_isOnItsOwn() {
        busyAfter(Duration.ofMillis(1));
        schedule.granted(0);
        assertThat(busyAfter(Duration.ofMillis(900))).isEqualTo(Duration.ofMillis(900));
    }

    /** The pause after the answer "busy, ask again soon". */
    private Duration busyAfter(Duration took) {
        schedule.sent(0);
        schedule.busy(true, SOON, took.toNanos(), took.toNanos(), timeouts);
        long pause = schedule.pollAtNanos() - took.toNanos();
        return Duration.ofNanos(pause);
    }
}
