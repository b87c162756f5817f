package dev.interlock.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class SessionTetherTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private final long now = System.nanoTime();
    private final AtomicBoolean open = new AtomicBoolean(true);

    private SessionTether tether(long sentNanos) {
        return new SessionTether(TIMEOUT, 50, sentNanos, open::get);
    }

    @Test
    void holdsForHalfTheTimeout_lessTheDrift_fromTheSend() {
        SessionTether tether = tether(now - Duration.ofSeconds(100).toNanos());
        assertThat(tether.leftNanos())
                .isBetween(
                        Duration.ofSeconds(100).toNanos(),
                        Duration.ofSeconds(197).toNanos());
    }

    /** So half of it is the quarter of the time-out that the pages promise to a lock delay. */
    @Test
    void length_isHalfTheTimeout_howeverOldTheLastSignOfLife() {
        assertThat(tether(now).lengthNanos()).isEqualTo(TIMEOUT.dividedBy(2).toNanos());
        assertThat(tether(now - Duration.ofSeconds(200).toNanos()).lengthNanos())
                .isEqualTo(TIMEOUT.dividedBy(2).toNanos());
        assertThat(new SessionTether(TIMEOUT, 100, now, open::get).lengthNanos())
                .isEqualTo(TIMEOUT.toNanos());
    }

    @Test
    void movesForwardOnly() {
        SessionTether tether = tether(now);
        assertThat(tether.move(now + Duration.ofSeconds(200).toNanos())).isTrue();
        assertThat(tether.move(now)).isTrue();
        assertThat(tether.leftNanos()).isGreaterThan(Duration.ofSeconds(350).toNanos());
    }

    @Test
    void isNotRevived_onceOver() {
        SessionTether passed = tether(now - TIMEOUT.toNanos());
        assertThat(passed.move(now)).isFalse();
        assertThat(passed.leftNanos()).isZero();

        SessionTether cut = tether(now);
        cut.cut();
        assertThat(cut.move(now)).isFalse();
        assertThat(cut.leftNanos()).isZero();
    }

    @Test
    void endsWithTheClient_forGood() {
        SessionTether tether = tether(now);
        open.set(false);
        assertThat(tether.leftNanos()).isZero();
        open.set(true);
        assertThat(tether.leftNanos()).isZero();
    }
}
