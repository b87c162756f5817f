package dev.interlock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What has no end is told from what only takes long: a run of the first kind would never let the search go on. */
class TimelineTest {

    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final Timeline timeline = new Timeline();

    /** At one moment, with a nanosecond between, at the speed of a network, and as often as a supervisor may run. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 30_000, 1_000_000})
    void whatCausesItselfForEver_isEndless(long pauseNanos) {
        repeat(pauseNanos, Long.MAX_VALUE);

        assertThat(isEndless()).isTrue();
    }

    @Test
    void whatSpins_isEndlessAtItsMoment() {
        timeline.at(5 * MINUTE, () -> repeat(0, Long.MAX_VALUE));

        assertThat(isEndless()).isTrue();
        assertThat(timeline.now()).isEqualTo(5 * MINUTE);
    }

    /** Six clients that poll beside holders for twenty minutes: more than a million events, and an end. */
    @Test
    void whatOnlyTakesLong_isNot() {
        for (int i = 0; i < 6; i++) {
            repeat(5_000_000, 20 * MINUTE);
        }

        assertThat(isEndless()).isFalse();
        assertThat(timeline.now()).isGreaterThan(20 * MINUTE);
    }

    private void repeat(long pauseNanos, long untilNanos) {
        timeline.after(pauseNanos, () -> {
            if (timeline.now() <= untilNanos) {
                repeat(pauseNanos, untilNanos);
            }
        });
    }

    /** Lets happen what is due, until that says that it has no end. Gives up after more steps than any test needs. */
    private boolean isEndless() {
        for (int steps = 0; steps < 10_000_000 && timeline.step(); steps++) {
            if (timeline.isEndless()) {
                return true;
            }
        }
        return false;
    }
}
