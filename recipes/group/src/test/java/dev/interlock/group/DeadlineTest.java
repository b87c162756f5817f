package dev.interlock.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {

    @Test
    void aWaitOfAnyLengthIsUnderstood() {
        assertThat(Deadline.after(Duration.ofSeconds(Long.MIN_VALUE)).once()).isTrue();
        assertThat(Deadline.after(Duration.ofNanos(-1)).once()).isTrue();
        assertThat(Deadline.after(Duration.ZERO).once()).isTrue();
        assertThat(Deadline.after(Duration.ofNanos(1)).once()).isFalse();
        Deadline longest = Deadline.after(Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(longest.once()).isFalse();
        assertThat(longest.left()).isGreaterThan(Duration.ofDays(36_500 / 2));
    }
}
