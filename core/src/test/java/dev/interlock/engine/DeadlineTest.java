package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Invariant I4: nothing revives a lease that has been seen to end. */
class DeadlineTest {

    @Test
    void passesAtItsMoment() {
        Deadline deadline = new Deadline(100);
        assertThat(deadline.passed(99)).isFalse();
        assertThat(deadline.passed(100)).isTrue();
    }

    @Test
    void staysPassedForReadersWithAnEarlierClock() {
        Deadline deadline = new Deadline(100);
        assertThat(deadline.passed(100)).isTrue();
        assertThat(deadline.passed(1)).isTrue();
        assertThat(deadline.move(200, 1)).isFalse();
        assertThat(deadline.nanos()).isEqualTo(100);
    }

    @Test
    void movesForwardOnly() {
        Deadline deadline = new Deadline(100);
        assertThat(deadline.move(200, 99)).isTrue();
        assertThat(deadline.move(150, 99)).isTrue();
        assertThat(deadline.nanos()).isEqualTo(200);
        assertThat(deadline.passed(199)).isFalse();
    }

    @Test
    void cannotBeMovedFromItsMomentOn() {
        Deadline deadline = new Deadline(100);
        assertThat(deadline.move(200, 100)).isFalse();
        assertThat(deadline.passed(100)).isTrue();
    }
}
