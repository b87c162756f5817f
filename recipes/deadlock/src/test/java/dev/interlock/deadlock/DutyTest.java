package dev.interlock.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Race;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that come while the patrol goes off duty. */
@Tag(Effort.SCALED)
class DutyTest {

    /** A round that finds nobody, and a caller that comes right after one of its questions. */
    private static final class Coming {
        private final int moment;
        private int asked;
        private boolean waits;
        private boolean begins;
        private final Duty duty = new Duty(this::somebodyWaits);

        private Coming(int moment) {
            this.moment = moment;
            assertThat(duty.begin()).isTrue();
        }

        private boolean somebodyWaits() {
            boolean known = waits;
            asked++;
            if (asked == moment) {
                waits = true;
                begins = duty.begin();
            }
            return known;
        }
    }

    /** Planted: a round does not ask once more after it was off duty. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void callerAtTheEndOfTheRounds_isLookedAfter_byOneOfThem(int moment) {
        Coming race = new Coming(moment);
        boolean goesOn = race.duty.goesOn();

        assertThat(race.asked).isEqualTo(2);
        assertThat(goesOn).isNotEqualTo(race.begins);
    }

    /** Planted: the flag is set, without comparing. */
    @Test
    void twoCallersAtOnce_beginRoundsOnce() {
        int[] begun = new int[2];
        Race.run(
                () -> new Duty(() -> true),
                duty -> begun[0] = duty.begin() ? 1 : 0,
                duty -> begun[1] = duty.begin() ? 1 : 0,
                duty -> assertThat(begun[0] + begun[1]).isEqualTo(1));
    }
}
