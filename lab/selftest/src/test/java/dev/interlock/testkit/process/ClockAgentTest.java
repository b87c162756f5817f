package dev.interlock.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("wide")
class ClockAgentTest {

    private static final Duration PATIENCE = Patience.FULL;

    /** Without a shift the clock is right: that it is wrong otherwise is the agent's doing. */
    @ParameterizedTest
    @ValueSource(strings = {"PT10M", "PT-10M", "PT0S"})
    void everyWayToAskForTheTimeIsShifted_andElapsedTimeIsNot(String shift) {
        Duration ahead = Duration.parse(shift);
        try (ChildJvm child = ChildJvm.start(ClockMain.class, ClockAgent.options(ahead), List.of())) {
            for (String way : List.of("reference ", "system ", "instant ", "local ", "date ", "calendar ")) {
                long told = Long.parseLong(child.await(way, PATIENCE));
                assertThat(told - System.currentTimeMillis())
                        .as(way)
                        .isCloseTo(ahead.toMillis(), Offset.offset(PATIENCE.toMillis()));
            }
            assertThat(Duration.ofNanos(Long.parseLong(child.await("passed ", PATIENCE))))
                    .isBetween(Duration.ZERO, PATIENCE);
            assertThat(child.awaitExit(PATIENCE)).isZero();
        }
    }
}
