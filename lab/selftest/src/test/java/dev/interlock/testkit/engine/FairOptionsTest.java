package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.kind.KindsFixture;
import dev.interlock.testkit.fixture.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Options of the fair lock that the engine decides alone, and the lock that is not re-entrant. */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class FairOptionsTest extends EngineSuite implements KindsFixture {

    private List<DistributedLock> locks(int count) {
        String name = clients().name();
        List<DistributedLock> locks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            locks.add(
                    clients().open().lock(name, LockOptions.builder().fair(true).build()));
        }
        return locks;
    }

    /** Lets {@code count} callers of these locks queue one after the other. */
    private static List<CompletableFuture<Lease>> queue(List<DistributedLock> locks, int count) {
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            DistributedLock lock = locks.get(i % locks.size());
            waiting.add(lock.acquireAsync().toCompletableFuture());
            KindsFixture.awaitWaiters(lock::inspect, i + 1);
        }
        return waiting;
    }

    @Test
    void P11_fair_withoutWakes_theNextHolds() throws Exception {
        handOverWithoutAWake(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void P11_fair_withoutWakes_theNextHoldsWithinThePollCap() throws Exception {
        handOverWithoutAWake(Duration.ofMillis(800));
    }

    private void handOverWithoutAWake(Duration limit) throws Exception {
        String name = clients().name();
        DistributedLock lock =
                clients().open().lock(name, LockOptions.builder().fair(true).build());
        DistributedLock deaf = deaf(Duration.ofMillis(300))
                .lock(name, LockOptions.builder().fair(true).build());
        Lease held = lock.acquire();
        CompletableFuture<Lease> waiting = queue(List.of(deaf), 1).get(0);

        try (Stopwatch watch = new Stopwatch()) {
            held.close();
            KindsFixture.get(waiting).close();
            watch.assertAtMost(limit, "a hand-over without a wake");
        }
    }

    @Test
    void nonReentrant_secondLock_throws_andTryLockFails() throws Exception {
        DistributedLock lock = clients()
                .open()
                .lock(clients().name(), LockOptions.builder().reentrant(false).build());
        lock.lock();

        assertThatThrownBy(lock::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(lock.name())
                .hasMessageContaining("not re-entrant");
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(IllegalStateException.class);
        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.tryLock(Duration.ofSeconds(5))).isFalse();
        assertThat(lock.holdCount()).isEqualTo(1);

        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void fair_isReentrant() {
        DistributedLock lock = locks(1).get(0);
        lock.lock();
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(2);
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }
}
