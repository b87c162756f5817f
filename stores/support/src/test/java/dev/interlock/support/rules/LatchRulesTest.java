package dev.interlock.support.rules;

import static dev.interlock.support.rules.Name.retryAfter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How a latch counts, and who passes it. */
class LatchRulesTest {

    private static final Mode ZERO = new Mode.AwaitZero();
    private static final Command.Action DOWN = new Command.CountDown();

    private final Name latch = new Name(LockKind.LATCH);

    @Test
    void count_isSetOnceUntilItIsZero() {
        latch.assertExecuted(latch.command(1, new Command.SetCount(2)));

        latch.assertRefused(latch.command(2, new Command.SetCount(5)));

        assertThat(latch.state.count()).isEqualTo(2);
    }

    @Test
    void repeatedRequests_countOnce() {
        latch.assertExecuted(latch.command(1, new Command.SetCount(2)));
        latch.assertExecuted(latch.command(2, DOWN));
        latch.assertExecuted(latch.command(2, DOWN));
        latch.assertExecuted(latch.command(1, new Command.SetCount(2)));

        assertThat(latch.state.count()).isEqualTo(1);
    }

    @Test
    void countDown_atZero_doesNothing() {
        latch.assertExecuted(latch.command(1, DOWN));

        assertThat(latch.state.count()).isZero();
    }

    @Test
    void newCount_forgetsWhoHasCounted() {
        latch.assertExecuted(latch.command(1, new Command.SetCount(1)));
        latch.assertExecuted(latch.command(2, DOWN));
        latch.assertExecuted(latch.command(3, new Command.SetCount(1)));

        latch.assertExecuted(latch.command(2, DOWN));

        assertThat(latch.state.count()).isZero();
    }

    @Test
    void zero_wakesAll_eachOnce() {
        latch.assertExecuted(latch.command(1, new Command.SetCount(1)));
        Claim first = latch.waiting(2, ZERO);
        Claim second = latch.waiting(3, ZERO);
        assertThat(retryAfter(latch.acquire(first))).isEqualTo(Duration.ofMillis(1_250));
        latch.assertBusy(second);

        latch.assertExecuted(latch.command(4, DOWN));
        latch.assertWoken(first, second);

        latch.assertExecuted(latch.command(5, DOWN));
        latch.assertWoken();
        latch.assertGranted(first);
        latch.assertWaiting(second);
    }

    @Test
    void latch_isForgottenWhenItsTimeIsOver() {
        latch.assertExecuted(latch.command(1, new Command.SetCount(2)));
        latch.pass(Duration.ofSeconds(20));
        latch.assertExecuted(latch.command(2, DOWN));
        latch.pass(Duration.ofMillis(29_999));
        assertThat(latch.state.count()).isEqualTo(1);

        latch.pass(Duration.ofMillis(1));

        assertThat(latch.state.isEmpty()).isTrue();
    }

    @Test
    void useOfALatchThatIsKeptForLong_sparesTheWrite() {
        Name spared = new Name(LockKind.LATCH, true);
        spared.assertExecuted(spared.command(1, new Command.SetCount(2)));
        Claim waiting = spared.waiting(2, ZERO);
        spared.assertBusy(waiting);
        NameState before = spared.state;

        spared.pass(Duration.ofMillis(100));
        spared.assertBusy(waiting);
        assertThat(spared.state).isSameAs(before);
    }

    @Test
    void renewal_findsNothing() {
        latch.assertExecuted(latch.command(1, new Command.SetCount(2)));

        assertThat(latch.renew(latch.claim(1, ZERO))).isEqualTo(Renewal.DELETED);
    }
}
