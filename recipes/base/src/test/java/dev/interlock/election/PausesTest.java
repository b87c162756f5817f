package dev.interlock.election;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a candidacy pauses after one leadership and the next. Time is an argument. */
class PausesTest {

    private static final long BRIEF = Duration.ofMillis(1).toNanos();
    private static final long LASTING = Duration.ofSeconds(1).toNanos();

    private final Pauses pauses = new Pauses();

    /** Those that fit into so much time, of leaderships that end at once. */
    private int leadershipsWithin(Duration time) {
        long now = 0;
        int count = 0;
        while (now < time.toNanos()) {
            count++;
            now += BRIEF + pauses.afterGivingUp(BRIEF);
        }
        return count;
    }

    @Test
    void briefLeaderships_areFew_howeverMuchTimePasses() {
        assertThat(leadershipsWithin(Duration.ofSeconds(1))).isEqualTo(7);
        assertThat(leadershipsWithin(Duration.ofHours(1))).isLessThan(130);
    }

    @Test
    void pause_grows_toALimit_andWarnsOnce() {
        List<Long> millis = new ArrayList<>();
        List<Boolean> warned = new ArrayList<>();
        for (int i = 0; i < 14; i++) {
            millis.add(Duration.ofNanos(pauses.afterGivingUp(BRIEF)).toMillis());
            warned.add(pauses.warns());
        }
        assertThat(millis)
                .startsWith(10L, 20L, 40L, 80L, 160L, 320L, 640L, 1280L)
                .endsWith(20_480L, 30_000L, 30_000L);
        assertThat(warned).containsOnlyOnce(true);
        assertThat(warned.indexOf(true)).isEqualTo(7);
    }

    @Test
    void leadershipThatLasts_startsAfresh() {
        for (int i = 0; i < 10; i++) {
            pauses.afterGivingUp(BRIEF);
            pauses.warns();
        }
        assertThat(pauses.afterGivingUp(LASTING)).isZero();
        assertThat(pauses.warns()).isFalse();
        assertThat(leadershipsWithin(Duration.ofSeconds(1))).isEqualTo(7);
    }

    @Test
    void leadershipThatFails_pausesForASecondAtLeast() {
        assertThat(pauses.afterFailure(BRIEF)).isEqualTo(Duration.ofSeconds(1).toNanos());
        assertThat(pauses.warns()).isTrue();
        assertThat(pauses.afterFailure(BRIEF)).isEqualTo(Duration.ofSeconds(2).toNanos());
        assertThat(pauses.warns()).isFalse();
        // One that has worked for a while before is told again.
        assertThat(pauses.afterFailure(LASTING)).isEqualTo(Duration.ofSeconds(1).toNanos());
        assertThat(pauses.warns()).isTrue();
    }
}
