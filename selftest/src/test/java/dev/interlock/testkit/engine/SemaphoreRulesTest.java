package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.kind.KindsFixture;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.fixture.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rules of the semaphore that the engine decides alone. */
class SemaphoreRulesTest extends EngineSuite implements KindsFixture {

    private List<DistributedSemaphore> semaphores(int clients, int capacity) {
        return semaphores(clients, capacity, LockOptions.defaults());
    }

    private List<DistributedSemaphore> semaphores(int clients, int capacity, LockOptions options) {
        String name = clients().name();
        List<DistributedSemaphore> semaphores = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            semaphores.add(clients().open().semaphore(name, capacity, options));
        }
        return semaphores;
    }

    private static CompletableFuture<Lease> queue(DistributedSemaphore semaphore, int permits, int place) {
        CompletableFuture<Lease> waiting = semaphore.acquireAsync(permits).toCompletableFuture();
        KindsFixture.awaitWaiters(semaphore::inspect, place);
        return waiting;
    }

    @Test
    void semaphore_permitsAreRenewed() throws Exception {
        List<DistributedSemaphore> both = semaphores(2, 2);
        Lease lease = both.get(0).acquire(2, RENEWED);

        LockFixture.awaitRenewal(lease);

        assertThat(both.get(1).tryAcquire(1)).isEmpty();
        lease.ensureValid();
        lease.close();
    }

    @Test
    void P11_semaphore_withoutWakes_theNextHolds() throws Exception {
        handOverWithoutAWake(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void P11_semaphore_withoutWakes_theNextHoldsWithinThePollCap() throws Exception {
        handOverWithoutAWake(Duration.ofMillis(800));
    }

    private void handOverWithoutAWake(Duration limit) throws Exception {
        DistributedSemaphore semaphore = semaphores(1, 1).get(0);
        Interlock deaf = deaf(Duration.ofMillis(300));
        Lease held = semaphore.acquire();
        CompletableFuture<Lease> waiting = queue(deaf.semaphore(semaphore.name(), 1), 1, 1);

        try (Stopwatch watch = new Stopwatch()) {
            held.close();
            KindsFixture.get(waiting).close();
            watch.assertAtMost(limit, "a hand-over without a wake");
        }
    }

    @Test
    void semaphore_wrongInput_isNamed_andLeavesNothing() {
        Interlock client = clients().open();
        String name = clients().name();
        DistributedSemaphore semaphore = client.semaphore(name, 3);

        assertThatThrownBy(() -> client.semaphore(name, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining("1 or more: 0");
        for (int permits : new int[] {0, -1, 4}) {
            assertThatThrownBy(() -> semaphore.acquire(permits))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("from 1 to its capacity, 3: " + permits);
        }
        assertThatThrownBy(() -> semaphore.resize(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 or more: 0");
        assertThat(semaphore.availablePermits()).isEqualTo(3);
        assertThat(semaphore.inspect().isLocked()).isFalse();
    }
}
