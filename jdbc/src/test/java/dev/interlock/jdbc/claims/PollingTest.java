package dev.interlock.jdbc.claims;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a waiter asks again. */
class PollingTest {

    @Test
    void nextInLine_asksAfterAnEighthOfTheHold_withinBounds() {
        assertThat(pause(0, 30_000, 0)).isEqualTo(Duration.ofMillis(1));
        assertThat(pause(80, 30_000, 0)).isEqualTo(Duration.ofMillis(10));
        assertThat(pause(3_600_000, 30_000, 0)).isEqualTo(Duration.ofMillis(25));
    }

    @Test
    void others_askLater_theFurtherBackTheyStand() {
        assertThat(pause(0, 30_000, 1)).isEqualTo(Duration.ofMillis(4));
        assertThat(pause(80, 30_000, 1)).isEqualTo(Duration.ofMillis(20));
        assertThat(pause(80, 30_000, 2)).isEqualTo(Duration.ofMillis(30));
        assertThat(pause(80, 30_000, 1_000_000)).isEqualTo(Duration.ofMillis(50));
    }

    @Test
    void nobody_asksLongAfterTheLease() {
        assertThat(pause(3_600_000, 3, 5)).isEqualTo(Duration.ofMillis(4));
    }

    @Test
    void aReservedName_isFreeSoon() {
        assertThat(pause(0, 100, 0)).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void aClockThatWasSetBack_isNoReasonToHurry() {
        assertThat(pause(-3_600_000, 30_000, 0)).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void jitter_isAQuarterUpAndDown() {
        Look look = new Look(80, 30_000, 0);

        assertThat(Polling.retryAfter(look, 0)).isEqualTo(Duration.ofNanos(7_500_000));
        assertThat(Polling.retryAfter(look, 1)).isEqualTo(Duration.ofNanos(12_500_000));
    }

    private static Duration pause(long ageMs, long leftMs, int ahead) {
        return Polling.retryAfter(new Look(ageMs, leftMs, ahead), 0.5);
    }
}
