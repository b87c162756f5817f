package dev.interlock.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An outage that a lock survives, and the same with a lock that excludes nobody. */
class OutageTrialTest {

    @Test
    void aLockSurvivesASecondWithoutItsServer() throws Exception {
        OutageTrial.Outcome outcome;
        try (Site site = OutageSubject.REDIS.start()) {
            outcome = OutageTrial.run(OutageSubject.REDIS::open, site, OutageFault.FREEZE_1);
        }

        assertThat(outcome.loss()).isEmpty();
        assertThat(outcome.overlaps()).isZero();
        assertThat(outcome.next()).isNotNaN();
        assertThat(outcome.given()).isNotNaN();
    }

    @Test
    void aLockThatExcludesNobody_isConvicted() throws Exception {
        OutageTrial.Outcome outcome;
        try (Site site = OutageSubject.REDIS.start()) {
            outcome = OutageTrial.run((uri, name) -> new NoLock(), site, OutageFault.FREEZE_1);
        }

        assertThat(outcome.overlaps()).isPositive();
    }

    private static final class NoLock implements Rival {

        @Override
        public Held acquire(Duration wait) {
            return () -> {};
        }

        @Override
        public void close() {}
    }
}
