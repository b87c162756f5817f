package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.spi.LockId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who has an arbiter of their own, and that the others of a name stay when one of them goes. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ArbitersTest {

    private static final LockId ID = LockId.lock("n");

    private final Simulation one = Simulation.start();
    private final Arbiters arbiters = one.core.arbiters();

    private CompletableFuture<Lease> fair() {
        return one.lock("n", LockOptions.builder().fair(true).build())
                .acquireAsync()
                .toCompletableFuture();
    }

    @Test
    void fairCallers_haveAnArbiterEach_untilTheyAreDone() {
        List<CompletableFuture<Lease>> callers = List.of(fair(), fair(), fair());
        assertThat(arbiters.count()).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            callers.get(i).join().close();
            assertThat(arbiters.of(ID)).hasSize(2 - i);
            assertThat(arbiters.count()).isEqualTo(2 - i);
        }
        fair().join().close();
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void otherCallers_shareOne_besideThoseThatStandAlone() {
        Lease held = one.acquire("n").join();
        CompletableFuture<Lease> waiting = one.acquire("n");
        CompletableFuture<Lease> alone = fair();
        assertThat(arbiters.of(ID)).hasSize(2);
        assertThat(arbiters.all()).containsExactlyInAnyOrderElementsOf(arbiters.of(ID));
        held.close();
        waiting.join().close();
        assertThat(arbiters.of(ID)).hasSize(1);
        alone.join().close();
        assertThat(one.isAtRest()).isTrue();
    }
}
