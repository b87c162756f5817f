package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The verbs of a semaphore: what they return, and how many requests they take. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SemaphoreVerbsTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final LockOptions DEFAULTS = LockOptions.defaults();

    private final Simulation one = Simulation.start();
    private final Simulation two = one.neighbour();
    private final DistributedSemaphore ours = one.semaphore("n", 4, DEFAULTS);
    private final DistributedSemaphore theirs = two.semaphore("n", 4, DEFAULTS);

    private static int permits(Optional<Lease> drained, DistributedSemaphore semaphore) {
        int before = semaphore.availablePermits();
        drained.orElseThrow().close();
        return semaphore.availablePermits() - before;
    }

    @Test
    void attempts_getPermitsWhileThereAreSome() throws Exception {
        assertThat(ours.tryAcquire()).isPresent();
        assertThat(ours.tryAcquire(1)).isPresent();
        assertThat(ours.tryAcquire(1, HOUR)).isPresent();
        assertThat(ours.tryAcquire(1, HOUR, DEFAULTS.lease())).isPresent();
        assertThat(ours.availablePermits()).isZero();
        assertThat(ours.tryAcquire()).isEmpty();
        assertThat(ours.tryAcquire(1, Duration.ZERO)).isEmpty();
    }

    @Test
    void attempt_ofAnInterruptedThread_isNotBegun() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> ours.tryAcquire(1, HOUR)).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(ours::acquire).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(one.store.count(Verb.ACQUIRE)).isZero();
    }

    // ---- all that there are

    @Test
    void drain_takesWhatIsFree_inOneRequest() {
        assertThat(theirs.tryAcquire(1)).isPresent();
        Optional<Lease> all = ours.drain();
        assertThat(one.store.count(Verb.ACQUIRE)).isOne();
        assertThat(ours.availablePermits()).isZero();
        assertThat(ours.drain()).isEmpty();
        assertThat(one.store.count(Verb.ACQUIRE)).as("of nothing").isOne();
        assertThat(permits(all, ours)).isEqualTo(3);
    }

    @Test
    void drain_takesTheRest_ifOthersWereFaster() {
        one.store.beforeNextAcquire(() -> assertThat(theirs.tryAcquire(2)).isPresent());
        assertThat(permits(ours.drain(), ours)).isEqualTo(2);
    }

    /** Whoever waits for more permits than are free comes first. */
    @Test
    void drain_doesNotPassThoseWhoWait() {
        assertThat(theirs.tryAcquire(2)).isPresent();
        CompletableFuture<Lease> waiting = theirs.acquireAsync(3).toCompletableFuture();
        assertThat(ours.drain()).isEmpty();
        assertThat(one.store.count(Verb.ACQUIRE)).isOne();
        assertThat(waiting).isNotDone();
    }

    @Test
    void drain_takesTheLastOne() {
        assertThat(theirs.tryAcquire(3)).isPresent();
        assertThat(permits(ours.drain(), ours)).isOne();
    }

    /**
     * A store that knows a larger capacity, and counts by that of the request: 97 permits are free by the one, and one
     * by the other. A client that tried each number in turn would take as many requests as there are permits.
     */
    @Test
    void drain_fromAStoreThatCountsByTheRequest_findsWhatItMayTake() {
        assertThat(theirs.tryAcquire(3)).isPresent();
        TransitStore store = new TransitStore(one.memory.session()) {
            @Override
            public CompletionStage<LockStatus> inspect(LockId id) {
                return super.inspect(id)
                        .thenApply(status ->
                                new LockStatus(status.name(), status.kind(), status.holders(), status.waiters(), 100));
            }
        };
        try (Interlock client = Interlock.builder(store).build()) {
            assertThat(client.semaphore("n", 4).drain()).isPresent();
            assertThat(store.requests(Verb.ACQUIRE))
                    .extracting(request -> ((Mode.Permits) request.claim().mode()).count())
                    .containsExactly(4, 3, 1);
        }
        assertThat(ours.availablePermits()).isOne();
    }

    // ---- some of them back

    @Test
    void releaseOfSome_keepsTheRest_withoutARenewal() {
        Lease lease = ours.tryAcquire(3).orElseThrow();
        ours.release(lease, 2);
        assertThat(ours.availablePermits()).isEqualTo(3);
        assertThat(lease.isValid()).isTrue();
        assertThat(one.store.count(Verb.RENEW)).isZero();
        ours.release(lease, 1);
        assertThat(ours.availablePermits()).isEqualTo(4);
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void releaseOfSome_ofAClaimThatSomebodyHasEnded_saysLost() {
        Lease some = ours.tryAcquire(3).orElseThrow();
        assertThat(theirs.release(some.id())).isTrue();
        assertThatThrownBy(() -> ours.release(some, 1))
                .isInstanceOfSatisfying(
                        LockLostException.class, e -> assertThat(e.lossCause()).isEqualTo(LossCause.FORCED));
        assertThat(some.isValid()).isFalse();
    }

    @Test
    void releaseOfAll_ofAClaimThatSomebodyHasEnded_saysLost() {
        Lease all = ours.tryAcquire(3).orElseThrow();
        assertThat(theirs.release(all.id())).isTrue();
        assertThatThrownBy(() -> ours.release(all, 3)).isInstanceOf(LockLostException.class);
        assertThat(theirs.release(all.id())).as("once more").isFalse();
    }

    // ---- capacity

    @Test
    void capacity_isThatOfTheStore_onceSomebodyHasSetIt() {
        assertThat(ours.capacity()).isEqualTo(4);
        theirs.resize(7);
        assertThat(ours.capacity()).isEqualTo(7);
        theirs.resizeAsync(5).toCompletableFuture().join();
        assertThat(ours.capacity()).isEqualTo(5);
        theirs.addPermits(3);
        assertThat(ours.capacity()).isEqualTo(8);
        theirs.addPermitsAsync(-2).toCompletableFuture().join();
        assertThat(ours.capacity()).isEqualTo(6);
    }

    @Test
    void addPermits_thatWouldLeaveNone_isRefused() {
        assertThatThrownBy(() -> ours.addPermits(-4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must keep from 1");
        assertThat(ours.capacity()).isEqualTo(4);
    }

    @Test
    void semaphore_saysItsNameAndCapacity() {
        assertThat(ours).hasToString("DistributedSemaphore[name=n, capacity=4]");
    }
}
