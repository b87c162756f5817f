package dev.interlock.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.deadlock.WaitGraph.Circle;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When to look again, and that a circle counts when two looks in a row have seen it. */
class AttentionTest {

    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private static final Timing TIMING = new Timing(Duration.ofMillis(20), Duration.ofMillis(7), Duration.ofMillis(90));

    private final Attention attention = new Attention(TIMING, 1000);

    @Test
    void looks_becomeRarer() {
        assertThat(attention.dueNanos()).isEqualTo(1000 + 20 * MILLI);
        for (long interval : List.of(40, 80, 90, 90)) {
            attention.calm(0);
            assertThat(attention.dueNanos()).isEqualTo(interval * MILLI);
        }
    }

    @Test
    void circle_isConfirmedByTheSecondLook_soon() {
        assertThat(attention.isConfirmed(circle(1, 5), 0)).isFalse();
        assertThat(attention.dueNanos()).isEqualTo(7 * MILLI);
        assertThat(attention.isConfirmed(circle(1, 5), 1)).isTrue();
    }

    @Test
    void anotherWait_orAnotherClaim_isAnotherCircle() {
        assertThat(attention.isConfirmed(circle(1, 5), 0)).isFalse();
        assertThat(attention.isConfirmed(circle(2, 5), 1)).isFalse();
        assertThat(attention.isConfirmed(circle(2, 6), 2)).isFalse();
        assertThat(attention.isConfirmed(circle(2, 6), 3)).isTrue();
    }

    @Test
    void circleThatWasGoneMeanwhile_isNotConfirmed() {
        assertThat(attention.isConfirmed(circle(1, 5), 0)).isFalse();
        attention.calm(1);
        assertThat(attention.isConfirmed(circle(1, 5), 2)).isFalse();
    }

    private static Circle circle(long number, long fence) {
        LockId id = LockId.lock("n");
        Wait wait = new Wait("c", number, id, Mode.exclusive(), 1, 2, 3, "t", List.of());
        return new Circle(List.of(wait), Set.of(wait), Set.of(new Hold(id, fence, false)));
    }
}
