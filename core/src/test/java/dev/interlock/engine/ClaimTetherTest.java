package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LossCause;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Tether;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A claim that hangs on a session ends with its lease or with the session, whichever comes first (I4). */
class ClaimTetherTest {

    private final AtomicLong left = new AtomicLong(1_000);

    private ClaimLife held() {
        ClaimLife life = new ClaimLife(Claims.claim(1, Claims.LEASE), Duration.ZERO, null, Claims.GUARD);
        life.ask(life.claim(), 1);
        assertThat(life.granted(7, left::get, 1)).isTrue();
        return life;
    }

    @Test
    void deadline_passesWithTheTether_andStaysSo() {
        Deadline deadline = new Deadline(100, left::get);
        assertThat(deadline.passed(50)).isFalse();
        left.set(0);
        assertThat(deadline.passed(60)).isTrue();
        left.set(1_000);

        assertThat(deadline.passed(60)).isTrue();
        assertThat(deadline.move(200, 60)).isFalse();
        assertThat(deadline.isCutOff()).isTrue();
        assertThat(deadline.nanos()).isEqualTo(60);
    }

    @Test
    void deadline_passesAtItsMoment_asEver() {
        Deadline deadline = new Deadline(100, left::get);
        assertThat(deadline.passed(100)).isTrue();
        assertThat(deadline.isCutOff()).isFalse();
        assertThat(deadline.nanos()).isEqualTo(100);
    }

    @Test
    void claim_isLostWithItsTether_andSaysSo() {
        ClaimLife life = held();
        assertThat(life.dueNanos()).isEqualTo(1_001);
        left.set(5_000);
        assertThat(life.expire(1_001)).isFalse();
        assertThat(life.dueNanos()).isEqualTo(6_001);
        left.set(-1);

        assertThat(life.expire(6_001)).isTrue();

        assertThat(life.lossCause()).isEqualTo(LossCause.SESSION_LOST);
    }

    /** An answer to a renewal does not tie it again. */
    @Test
    void claim_isNotRenewed_afterItsTether() {
        ClaimLife life = held();
        left.set(0);
        assertThat(life.renewalAnswered(Renewal.HELD, Claims.LEASE, 10, 20)).isFalse();
        assertThat(life.lossCause()).isEqualTo(LossCause.SESSION_LOST);
    }

    @Test
    void claim_isTakenBack_thatIsGrantedWithoutATether() {
        left.set(0);
        ClaimLife life = new ClaimLife(Claims.claim(1, Claims.LEASE), Duration.ZERO, null, Claims.GUARD);
        life.ask(life.claim(), 1);
        assertThat(life.granted(7, left::get, 1)).isFalse();
        assertThat(life.state()).isEqualTo(ClaimState.RESOLVING);
    }

    @Test
    void claim_isLost_ifTheStoreSaysThatItsSessionIs() {
        ClaimLife life = held();
        assertThat(life.renewalAnswered(Renewal.SESSION_LOST, Claims.LEASE, 10, 20))
                .isFalse();
        assertThat(life.lossCause()).isEqualTo(LossCause.SESSION_LOST);
    }

    /** The store may open the name when the tether ends, so the lease ends by the delay before. */
    @Test
    void claim_withADelay_isLost_beforeItsTether() {
        ClaimLife life = new ClaimLife(Claims.claim(1, Claims.LEASE), Duration.ofNanos(400), null, Claims.GUARD);
        life.ask(life.claim(), 1);
        assertThat(life.granted(7, left::get, 1)).isTrue();
        assertThat(life.dueNanos()).isEqualTo(601);
        left.set(401);
        assertThat(life.deadline().passed(600)).isFalse();

        left.set(400);

        assertThat(life.expire(601)).isTrue();
        assertThat(life.lossCause()).isEqualTo(LossCause.SESSION_LOST);
        assertThat(life.inStore(life.claim()).lease()).isEqualTo(Claims.LEASE.plusNanos(400));
    }

    /** What is left of it differs from one grant to the next; the answer must not. */
    @Test
    void longestDelay_isHalfOfTheTethersLength_whateverIsLeft() {
        Tether session = lasting(1_000);
        assertThat(ClaimLife.longestDelayNanos(session)).isEqualTo(500);
        left.set(1);
        assertThat(ClaimLife.longestDelayNanos(session)).isEqualTo(500);
        assertThat(ClaimLife.longestDelayNanos(Tether.NONE)).isGreaterThan(EngineClock.NEVER / 4);
    }

    /** Its session has shown no sign of life for long: the name would open before the delay is over. */
    @Test
    void claim_isTakenBack_thatIsGrantedWithNoMoreLeftThanTheDelay() {
        left.set(400);
        ClaimLife life = new ClaimLife(Claims.claim(1, Claims.LEASE), Duration.ofNanos(400), null, Claims.GUARD);
        life.ask(life.claim(), 1);
        assertThat(life.granted(7, lasting(1_000), 1)).isFalse();
        assertThat(life.state()).isEqualTo(ClaimState.RESOLVING);
    }

    private Tether lasting(long nanos) {
        return new Tether() {
            @Override
            public long leftNanos() {
                return left.get();
            }

            @Override
            public long lengthNanos() {
                return nanos;
            }
        };
    }
}
