package dev.interlock.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The gate accepts tokens in order (I1), and its memory is bounded without forgetting what matters. */
class FenceGateTest {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final FenceGate gate = new FenceGate(3, Duration.ofHours(1), nanos::get);

    @Test
    void I1_smallerTokens_areRefused_andTheLargestIsSaid() {
        assertThat(gate.check("a", 5)).isEqualTo(new FenceVerdict(true, 5));
        assertThat(gate.check("a", 5)).as("the same lease again").isEqualTo(new FenceVerdict(true, 5));
        assertThat(gate.check("a", 7)).isEqualTo(new FenceVerdict(true, 7));
        assertThat(gate.check("a", 6)).isEqualTo(new FenceVerdict(false, 7));
        assertThat(gate.check("b", 6)).as("another resource").isEqualTo(new FenceVerdict(true, 6));
    }

    @Test
    void I1_theSameToken_isOfItsFirstOwnerOnly() {
        assertThat(gate.check("a", 5, "one").accepted()).isTrue();
        assertThat(gate.check("a", 5, "two")).isEqualTo(new FenceVerdict(false, 5));
        assertThat(gate.check("a", 5, "one").accepted()).isTrue();
        assertThat(gate.check("a", 6, "two").accepted()).isTrue();
        assertThat(gate.check("a", 6, "one").accepted()).isFalse();
    }

    @Test
    void aFullGate_refusesWhatIsNew_ratherThanForgettingWhatIsYoung() {
        gate.check("a", 1);
        gate.check("b", 1);
        gate.check("c", 1);
        assertThatThrownBy(() -> gate.check("d", 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("capacity=3")
                .hasMessageContaining("'d'");
        assertThat(gate.check("a", 2).accepted()).as("one that it knows").isTrue();
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        gate.check("a", 3);
        assertThat(gate.check("d", 1).accepted()).as("b is old enough to go").isTrue();
        assertThat(gate.check("a", 2).accepted()).as("a is not").isFalse();
        assertThat(gate.check("b", 1).accepted()).as("and c goes for b").isTrue();
        assertThatThrownBy(() -> gate.check("c", 1)).isInstanceOf(IllegalStateException.class);
    }

    /** Whoever comes late again and again must not find that its resource is forgotten. */
    @Test
    void I1_aRefusal_isAUse() {
        gate.check("a", 5);
        gate.check("b", 1);
        gate.check("c", 1);
        nanos.addAndGet(Duration.ofMinutes(55).toNanos());
        assertThat(gate.check("a", 3).accepted()).isFalse();
        nanos.addAndGet(Duration.ofMinutes(6).toNanos());
        gate.check("d", 1);
        gate.check("e", 1);
        assertThatThrownBy(() -> gate.check("f", 1)).isInstanceOf(IllegalStateException.class);
        assertThat(gate.check("a", 3)).isEqualTo(new FenceVerdict(false, 5));
    }

    @Test
    void wrongInput_isNamed() {
        assertThatThrownBy(() -> gate.check("a", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
        assertThatThrownBy(() -> new FenceGate(0, Duration.ofHours(1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FenceGate(1, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }
}
