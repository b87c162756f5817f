package dev.interlock.engine;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How long tests wait for a state that comes soon: only a defect, not a slow machine, uses it up. */
final class Patience {

    static final Duration AMPLE = Duration.ofMinutes(5);

    private Patience() {}

    static ConditionFactory await() {
        return Awaitility.await().atMost(AMPLE);
    }
}
