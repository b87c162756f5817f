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

    @Test
    void length_isThatOfTheShortestInTheBestMajority() {
        assertThat(new MajorityTether(List.of(() -> 30, lasting(40), lasting(50)), 2).lengthNanos())
                .isEqualTo(40);
        assertThat(new MajorityTether(List.of(Tether.NONE, Tether.NONE), 2).lengthNanos())
                .isEqualTo(Long.MAX_VALUE);
    }

    private static Tether lasting(long nanos) {
        return new Tether() {
            @Override
            public long leftNanos() {
                return 1;
            }

            @Override
            public long lengthNanos() {
                return nanos;
            }
        };
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
