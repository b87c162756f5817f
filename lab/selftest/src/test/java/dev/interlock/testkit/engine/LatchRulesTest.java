package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLatch;
import dev.interlock.Interlock;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.kind.KindsFixture;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rules of the latch that the engine decides alone. */
class LatchRulesTest extends EngineSuite implements KindsFixture {

    private List<DistributedLatch> latches(int clients) {
        String name = clients().name();
        List<DistributedLatch> latches = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            latches.add(clients().open().latch(name));
        }
        return latches;
    }

    @Test
    void P11_latch_withoutWakes_isSeen() {
        countDownWithoutAWake(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void P11_latch_withoutWakes_isSeenWithinThePollCap() {
        countDownWithoutAWake(Duration.ofMillis(800));
    }

    private void countDownWithoutAWake(Duration limit) {
        DistributedLatch latch = latches(1).get(0);
        Interlock deaf = deaf(Duration.ofMillis(300));
        latch.trySetCount(1);
        Caller<Boolean> waiting = Caller.startAction(deaf.latch(latch.name())::await);
        KindsFixture.awaitWaiters(latch::inspect, 1);

        try (Stopwatch watch = new Stopwatch()) {
            latch.countDown();
            waiting.result();
            watch.assertAtMost(limit, "zero without a wake");
        }
    }

    @Test
    void latch_wrongInput_isNamed() {
        DistributedLatch latch = latches(1).get(0);

        for (int count : new int[] {0, -1}) {
            assertThatThrownBy(() -> latch.trySetCount(count))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(latch.name())
                    .hasMessageContaining("1 or more: " + count);
        }
    }
}
