package dev.interlock.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PatienceTest {

    @Test
    void aWaitOfAnyLengthIsUnderstood() {
        assertThat(Patience.of(Duration.ofSeconds(Long.MIN_VALUE)).once()).isTrue();
        assertThat(Patience.of(Duration.ofNanos(-1)).once()).isTrue();
        assertThat(Patience.of(Duration.ZERO).once()).isTrue();
        assertThat(Patience.of(Duration.ofNanos(1)).once()).isFalse();
        Patience longest = Patience.of(Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(longest.once()).isFalse();
        assertThat(longest.left()).isGreaterThan(Duration.ofDays(36_500 / 2));
    }
}
