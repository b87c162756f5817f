package dev.interlock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class EffortTest {

    @Test
    void knowsTwoValues_andRefusesOthers() {
        assertThat(Effort.of("short")).isEqualTo(Effort.SHORT);
        assertThat(Effort.of("long")).isEqualTo(Effort.LONG);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Effort.of("full"))
                .withMessageContaining("must be short or long: full");
    }
}
