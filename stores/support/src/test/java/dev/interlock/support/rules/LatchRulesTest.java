package dev.interlock.support.rules;

import static dev.interlock.support.rules.Name.retryAfter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How a latch counts, and who passes it. */
class LatchRulesTest {

    private static final Mode ZERO = new Mode.AwaitZero();
    private static final Mode DOWN = new Mode.CountDown();

    private final Name latch = new Name(LockKind.LATCH);

    @Test
    void count_isSetOnceUntilItIsZero() {
        latch.assertGranted(latch.claim(1, new Mode.SetCount(2)));

        latch.assertBusy(latch.claim(2, new Mode.SetCount(5)));

        assertThat(latch.state.count()).isEqualTo(2);
    }

    @Test
    void repeatedRequests_countOnce() {
        latch.assertGranted(latch.claim(1, new Mode.SetCount(2)));
        latch.assertGranted(latch.claim(2, DOWN));
        latch.assertGranted(latch.claim(2, DOWN));
        latch.assertGranted(latch.claim(1, new Mode.SetCount(2)));

        assertThat(latch.state.count()).isEqualTo(1);
    }

    @Test
    void countDown_atZero_doesNothing() {
        latch.assertGranted(latch.claim(1, DOWN));

        assertThat(latch.state.count()).isZero();
    }

    @Test
    void newCount_forgetsWhoHasCounted() {
        latch.assertGranted(latch.claim(1, new Mode.SetCount(1)));
        latch.assertGranted(latch.claim(2, DOWN));
        latch.assertGranted(latch.claim(3, new Mode.SetCount(1)));

        latch.assertGranted(latch.claim(2, DOWN));

        assertThat(latch.state.count()).isZero();
    }

    @Test
    void zero_wakesAll_eachOnce() {
        latch.assertGranted(latch.claim(1, new Mode.SetCount(1)));
        Claim first = latch.waiting(2, ZERO);
        Claim second = latch.waiting(3, ZERO);
        assertThat(retryAfter(latch.acquire(first))).isEqualTo(Duration.ofMillis(1_250));
        latch.assertBusy(second);

        latch.assertGranted(latch.claim(4, DOWN));
        latch.assertWoken(first, second);

        latch.assertGranted(latch.claim(5, DOWN));
        latch.assertWoken();
        latch.assertGranted(first);
        latch.assertWaiting(second);
    }

    @Test
    void latch_isForgottenWhenItsTimeIsOver() {
        latch.assertGranted(latch.claim(1, new Mode.SetCount(2)));
        latch.pass(Duration.ofSeconds(20));
        latch.assertGranted(latch.claim(2, DOWN));
        latch.pass(Duration.ofMillis(29_999));
        assertThat(latch.state.count()).isEqualTo(1);

        latch.pass(Duration.ofMillis(1));

        assertThat(latch.state.isEmpty()).isTrue();
    }

    @Test
    void useOfALatchThatIsKeptForLong_sparesTheWrite() {
        Name spared = new Name(LockKind.LATCH, true);
        spared.assertGranted(spared.claim(1, new Mode.SetCount(2)));
        Claim waiting = spared.waiting(2, ZERO);
        spared.assertBusy(waiting);
        NameState before = spared.state;

        spared.pass(Duration.ofMillis(100));
        spared.assertBusy(waiting);
        assertThat(spared.state).isSameAs(before);
    }

    @Test
    void renewal_findsNothing() {
        latch.assertGranted(latch.claim(1, new Mode.SetCount(2)));

        assertThat(latch.renew(latch.claim(1, new Mode.SetCount(2)))).isEqualTo(Renewal.DELETED);
    }
}
