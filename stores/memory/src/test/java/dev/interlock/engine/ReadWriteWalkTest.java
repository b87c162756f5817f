package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/**
 * P17: random walks of two clients over a road that loses and delays. See {@link ReadWriteWalk} for what must be so at
 * every step.
 */
@Tag("scaled")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadWriteWalkTest {

    private static final boolean LONG =
            System.getProperty("interlock.effort", "short").equals("long");

    @RepeatedTest(4)
    void P17_readersAndWritersOfTwoClients(RepetitionInfo repetition) {
        int walks = LONG ? 500 : 20;
        for (int i = 0; i < walks; i++) {
            long seed = 1_000_000L * repetition.getCurrentRepetition() + i;
            boolean lossy = i % 2 == 1;
            try {
                new ReadWriteWalk(seed, lossy).run(500);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed=" + seed + " lossy=" + lossy + ": " + e.getMessage(), e);
            }
        }
        assertThat(walks).isPositive();
    }
}
