package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Tether;
import java.util.List;
import org.junit.jupiter.api.Test;

class MajorityTetherTest {

    @Test
    void holdsAsLongAsAMajorityDoes() {
        assertThat(new MajorityTether(List.of(() -> 30, () -> 10, () -> 20), 2).leftNanos())
                .isEqualTo(20);
        assertThat(new MajorityTether(List.of(() -> 30, () -> 10), 2).leftNanos())
                .isEqualTo(10);
        assertThat(new MajorityTether(List.of(() -> 0, () -> 0, Tether.NONE), 2).leftNanos())
                .isZero();
        assertThat(new MajorityTether(List.of(Tether.NONE, Tether.NONE), 2).leftNanos())
                .isEqualTo(Long.MAX_VALUE);
    }

    /** So a quorum of quorums keeps what its stores keep. */
    @Test
    void ofAMajorityThatHangsOnNothing_isNone() {
        assertThat(MajorityTether.of(List.of(Tether.NONE, () -> 10, Tether.NONE), 2))
                .isSameAs(Tether.NONE);
        assertThat(MajorityTether.of(List.of(Tether.NONE, () -> 10), 2).leftNanos())
                .isEqualTo(10);
    }
}
