package dev.interlock.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PollingTest {

    private static final Polling POLLING =
            new Polling(Duration.ofMillis(1), Duration.ofMillis(25), Duration.ofMillis(4), Duration.ofMillis(50));

    @ParameterizedTest
    @CsvSource({
        "0, 0, 30000, PT0.001S",
        "0, 80, 30000, PT0.01S",
        "0, 3600000, 30000, PT0.025S",
        "1, 0, 30000, PT0.004S",
        "1, 80, 30000, PT0.02S",
        "2, 80, 30000, PT0.03S",
        "1000000, 80, 30000, PT0.05S",
        "2147483647, 9223372036854775807, 9223372036854775807, PT0.05S",
        // Soon after the end of the lease.
        "5, 3600000, 3, PT0.004S",
        "5, 3600000, 0, PT0.001S",
        "5, 3600000, -7, PT0.001S",
        // A server's clock that was set back.
        "0, -3600000, 30000, PT0.001S",
    })
    void delay_isAnEighthOfTheHold_withinBounds(int ahead, long heldMillis, long leftMillis, Duration delay) {
        assertThat(POLLING.delay(ahead, heldMillis, leftMillis, 0.5)).isEqualTo(delay);
    }

    @Test
    void jitter_isAQuarterUpAndDown() {
        assertThat(POLLING.delay(0, 80, 30_000, 0)).isEqualTo(Duration.ofNanos(7_500_000));
        assertThat(POLLING.delay(0, 80, 30_000, 1)).isEqualTo(Duration.ofNanos(12_500_000));
        assertThat(Polling.spread(Duration.ofSeconds(4), 30_000, 0)).isEqualTo(Duration.ofSeconds(3));
    }
}
