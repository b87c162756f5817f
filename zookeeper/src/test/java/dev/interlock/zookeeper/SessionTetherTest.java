package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SessionTetherTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private final long now = System.nanoTime();

    @Test
    void holdsForHalfTheTimeout_lessTheDrift_fromTheSend() {
        SessionTether tether =
                new SessionTether(TIMEOUT, now - Duration.ofSeconds(10).toNanos());
        assertThat(tether.leftNanos())
                .isBetween(
                        Duration.ofSeconds(10).toNanos(),
                        Duration.ofMillis(19_700).toNanos());
    }

    @Test
    void movesForwardOnly() {
        SessionTether tether = new SessionTether(TIMEOUT, now);
        assertThat(tether.moved(now + Duration.ofSeconds(20).toNanos())).isTrue();
        assertThat(tether.moved(now)).isTrue();
        assertThat(tether.leftNanos()).isGreaterThan(Duration.ofSeconds(35).toNanos());
    }

    @Test
    void isNotRevived_onceOver() {
        SessionTether passed = new SessionTether(TIMEOUT, now - TIMEOUT.toNanos());
        assertThat(passed.moved(now)).isFalse();
        assertThat(passed.leftNanos()).isZero();

        SessionTether cut = new SessionTether(TIMEOUT, now);
        cut.cut();
        assertThat(cut.moved(now)).isFalse();
        assertThat(cut.leftNanos()).isZero();
    }
}
