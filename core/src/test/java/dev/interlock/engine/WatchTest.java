package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LeaseOrigin;
import dev.interlock.LockObserver;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which one acquisition is reported, whoever comes first. */
class WatchTest {

    private final List<String> told = new ArrayList<>();
    private volatile Runnable whileAcquired = () -> {};
    private final Watch watch = new Watch(
            new EngineClock(() -> 0),
            new LockObserver.Acquisition() {
                @Override
                public void acquired(long token, LeaseOrigin origin, Duration waited) {
                    whileAcquired.run();
                    told.add("acquired");
                }

                @Override
                public void ended(ReleaseOutcome outcome, Duration held) {
                    told.add("ended " + outcome);
                }
            },
            null);

    @Test
    void leaseThatEndsBeforeItIsReported_isReportedFirst() {
        watch.ended(ReleaseOutcome.lost(LossCause.EXPIRED), 1);
        assertThat(told).isEmpty();
        acquired();
        assertThat(told).containsExactly("acquired", "ended LOST(EXPIRED)");
    }

    @Test
    void leaseThatEndsWhileItIsReported_endsAfterwards() {
        whileAcquired = () -> watch.ended(ReleaseOutcome.RELEASED, 1);
        acquired();
        assertThat(told).containsExactly("acquired", "ended RELEASED");
    }

    @Test
    void leaseThatIsLostAndReleased_endsOnce() {
        acquired();
        watch.ended(ReleaseOutcome.lost(LossCause.TAKEN), 1);
        watch.ended(ReleaseOutcome.lost(LossCause.TAKEN), 2);
        assertThat(told).containsExactly("acquired", "ended LOST(TAKEN)");
    }

    @Test
    void leaseThatIsLostAndReleasedBeforeItIsReported_endsOnce() {
        watch.ended(ReleaseOutcome.lost(LossCause.TAKEN), 1);
        watch.ended(ReleaseOutcome.RELEASED, 2);
        acquired();
        assertThat(told).containsExactly("acquired", "ended LOST(TAKEN)");
    }

    private void acquired() {
        watch.acquired(1024, LeaseOrigin.STORE, 0);
    }
}
