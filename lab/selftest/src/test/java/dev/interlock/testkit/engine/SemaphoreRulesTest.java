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
import java.util.Locale;
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

    /** An id that was passed on must not end the lease of the caller after. */
    @Test
    void leaseWhoseIdIsKnown_isNotHandedOver() throws Exception {
        DistributedSemaphore semaphore = semaphores(
                        1,
                        1,
                        LockOptions.builder().handOver(100, Duration.ofHours(1)).build())
                .get(0);
        Lease known = semaphore.acquire();
        CompletableFuture<Lease> waiting = queue(semaphore, 1, 1);
        String id = known.id();

        known.close();

        Lease next = KindsFixture.get(waiting);
        assertThat(next.id()).isNotEqualTo(id);
        assertThat(known.id()).isEqualTo(id);
        assertThat(semaphore.release(id)).isFalse();
        assertThat(next.isValid()).isTrue();
        next.close();
    }

    @Test
    void idOfALeaseThatHasEnded_isNotTold() throws Exception {
        DistributedSemaphore semaphore = semaphores(1, 1).get(0);
        Lease ended = semaphore.acquire();
        ended.close();

        assertThatThrownBy(ended::id).isInstanceOf(IllegalStateException.class);
    }

    /** The holder is of this client, and is notified at once. */
    @Test
    void leaseReleasedByItsIdHere_isLostAtOnce() throws Exception {
        DistributedSemaphore semaphore = semaphores(1, 2).get(0);
        Lease lease = semaphore.acquire(2);

        assertThat(semaphore.release(lease.id())).isTrue();

        assertThat(lease.isValid()).isFalse();
        assertThat(semaphore.availablePermits()).isEqualTo(2);
    }

    @Test
    void textThatIsNoId_isRefused() {
        DistributedSemaphore semaphore = semaphores(1, 1).get(0);
        String id = "01234567-89ab-cdef-0123-456789abcdef:1";
        assertThat(semaphore.release(id)).isFalse();
        for (String hostile : List.of(
                "",
                ":",
                id + "0".repeat(30),
                "left-" + id,
                id + '\n',
                '*' + id,
                id.substring(1),
                id.toUpperCase(Locale.ROOT),
                "x".repeat(100_000),
                "01234567-89ab-cdef-0123-456789abcdef:*")) {
            assertThatThrownBy(() -> semaphore.release(hostile))
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .hasSizeLessThan(300);
        }
    }

    @Test
    void permitsThatALeaseDoesNotHave_areNotReturned() throws Exception {
        DistributedSemaphore semaphore = semaphores(1, 5).get(0);
        DistributedSemaphore other = semaphores(1, 5).get(0);
        try (Lease lease = semaphore.acquire(3);
                Lease lock = clients().open().lock(clients().name()).acquire()) {
            for (int permits : List.of(4, 0, -1, Integer.MIN_VALUE)) {
                assertThatThrownBy(() -> semaphore.release(lease, permits))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("permits=" + permits);
            }
            assertThatThrownBy(() -> other.release(lease, 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> semaphore.release(lock, 1)).isInstanceOf(IllegalArgumentException.class);
            assertThat(semaphore.availablePermits()).isEqualTo(2);
        }
    }

    /** Permits pass on inside the process to who wants as many as are left. */
    @Test
    void leaseOfFewerPermits_isHandedOverToWhoWantsAsMany() throws Exception {
        DistributedSemaphore semaphore = semaphores(
                        1,
                        3,
                        LockOptions.builder().handOver(100, Duration.ofHours(1)).build())
                .get(0);
        Lease three = semaphore.acquire(3);
        semaphore.release(three, 1);
        CompletableFuture<Lease> waiting = queue(semaphore, 2, 1);

        three.close();

        Lease two = KindsFixture.get(waiting);
        assertThat(two.token()).isEqualTo(three.token() + 1);
        assertThat(semaphore.availablePermits()).isEqualTo(1);
        two.close();
        assertThat(semaphore.availablePermits()).isEqualTo(3);
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
