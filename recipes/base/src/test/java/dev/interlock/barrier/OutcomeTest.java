package dev.interlock.barrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.barrier.BrokenGenerationException.Reason;
import dev.interlock.spi.Attempt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a generation as a count, and what a party says of itself. */
class OutcomeTest {

    @ParameterizedTest
    @EnumSource
    void brokenGeneration_saysWhy_andBecauseOfWhom(Reason reason) {
        for (long fence : new long[] {1, 2, (1L << 28) + 5, Attempt.LARGEST_FENCE}) {
            Outcome outcome = Outcome.broken(reason, Attempt.token(fence));

            assertThat(outcome.count()).isPositive();
            assertThat(outcome.isBroken()).isTrue();
            assertThat(outcome.reason()).isEqualTo(reason);
            assertThat(outcome.isBecauseOf(Attempt.token(fence))).isTrue();
            assertThat(outcome.isBecauseOf(Attempt.token(fence - 1))).isFalse();
            assertThat(outcome).isNotIn(Outcome.OPEN, Outcome.PASSED, Outcome.VOID);
        }
    }

    @Test
    void otherEnds_areNotBroken() {
        assertThat(Outcome.OPEN.isBroken() || Outcome.PASSED.isBroken() || Outcome.VOID.isBroken())
                .isFalse();
        assertThatThrownBy(() -> new Outcome(9).reason())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("count=9");
    }

    @Test
    void ticket_isReadAsItWasWritten() {
        Ticket ticket = new Ticket(BarrierNames.MOST_PARTIES, 7, Attempt.token(Attempt.LARGEST_FENCE));

        assertThat(Ticket.parse(ticket.encode())).isEqualTo(ticket);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "main", "1/2", "1/2/3/4", "-1/2/3", "1/2/9999999999999999999", "9999999999/0/0", "1/2/3\n"})
    void otherText_isNoTicket(String text) {
        assertThat(Ticket.parse(text)).isNull();
    }
}
