package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseOrigin;
import dev.interlock.LeaseTerm;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The callback executor is so slow that the next lease of the same lock has begun when it runs what was meant for the
 * one before: that is told of itself, or of nothing, and the next one stays as it is.
 */
class LateCallbackTest extends EngineSuite {

    private static final LeaseTerm RENEWING = LeaseTerm.renewing(Duration.ofMinutes(5));

    private final SlowExecutor slow = new SlowExecutor();

    private DistributedLock lock(LockOptions options) {
        return clients().open(b -> b.callbackExecutor(slow)).lock(clients().name(), options);
    }

    /** The lock is free, and the next one has it; then what was kept is run. */
    private Lease next(DistributedLock lock) throws Exception {
        Lease next = lock.tryAcquire(Patience.limit(), RENEWING).orElseThrow();
        slow.runAll();
        return next;
    }

    private void assertStands(DistributedLock lock, Lease next) {
        assertThat(next.isValid()).isTrue();
        assertThat(elsewhere(lock).inspect().holders()).singleElement().satisfies(holder -> assertThat(holder.token())
                .isEqualTo(next.token()));
        next.close();
    }

    @Test
    void revocationRequest_isNotForTheNextLease() throws Exception {
        DistributedLock lock = lock(LockOptions.defaults());
        Queue<Lease> asked = new ConcurrentLinkedQueue<>();
        Lease first = lock.acquire(RENEWING);
        first.onRevocationRequested(() -> asked.add(first));
        assertThat(operator().requestRevocation(lock.name())).isTrue();
        slow.awaitTask();
        first.close();

        Lease next = next(lock);

        assertThat(asked).isEmpty();
        assertStands(lock, next);
    }

    /** The callback of the options is the same for both. */
    @Test
    void revocationRequest_ofTheOptions_isNotForTheNextLease() throws Exception {
        Queue<Lease> asked = new ConcurrentLinkedQueue<>();
        DistributedLock lock = lock(LockOptions.builder()
                .onRevocationRequested(lease -> {
                    asked.add(lease);
                    lease.close();
                })
                .build());
        Lease first = lock.acquire(RENEWING);
        assertThat(operator().requestRevocation(lock.name())).isTrue();
        slow.awaitTask();
        first.close();

        Lease next = next(lock);

        assertThat(asked).isEmpty();
        assertStands(lock, next);
    }

    /** A thread's hold: the same thread holds the lock again when its old lease is asked for. */
    @Test
    void revocationRequest_ofAHold_isNotForTheNextHold() throws Exception {
        DistributedLock lock =
                lock(LockOptions.builder().onRevocationRequested(Lease::close).build());
        lock.lock(RENEWING);
        try {
            assertThat(operator().requestRevocation(lock.name())).isTrue();
            slow.awaitTask();
        } finally {
            lock.unlock();
        }
        assertThat(lock.tryLock(Patience.limit(), RENEWING)).isTrue();
        try {
            slow.runAll();

            assertThat(lock.heldLease().isValid()).isTrue();
        } finally {
            lock.unlock();
        }
    }

    @Test
    void loss_isToldOfTheLeaseThatWasLost() throws Exception {
        DistributedLock lock = lock(LockOptions.defaults());
        Queue<LossCause> first = new ConcurrentLinkedQueue<>();
        Queue<LossCause> second = new ConcurrentLinkedQueue<>();
        Lease lost = lock.acquire(LeaseTerm.fixed(Duration.ofMillis(100)));
        lost.onLost(first::add);
        slow.awaitTask();

        Lease next = lock.tryAcquire(Patience.limit(), RENEWING).orElseThrow();
        next.onLost(second::add);
        slow.runAll();

        assertThat(first).containsExactly(LossCause.EXPIRED);
        assertThat(second).isEmpty();
        // What it does with the lease that it was told of does nothing.
        lost.close();
        assertStands(lock, next);
    }

    @Test
    void observerWithAnExecutor_isToldTheTokenOfTheLostLease() throws Exception {
        Collection<Long> told = new ConcurrentLinkedQueue<>();
        Interlock client = clients()
                .open(b -> b.observer((name, kind, mode) -> new LockObserver.Acquisition() {
                    private volatile long token;

                    @Override
                    public void acquired(long newToken, LeaseOrigin origin, Duration waited) {
                        token = newToken;
                    }

                    @Override
                    public void ended(ReleaseOutcome outcome, Duration held) {
                        if (outcome.isLost()) {
                            slow.execute(() -> told.add(token));
                        }
                    }
                }));
        DistributedLock lock = client.lock(clients().name());
        Lease lost = lock.acquire(LeaseTerm.fixed(Duration.ofMillis(100)));
        await().until(() -> !lost.isValid());

        Lease next = next(lock);

        await().until(() -> {
            slow.runAll();
            return !told.isEmpty();
        });
        assertThat(told).containsExactly(lost.token());
        assertStands(lock, next);
    }

    /** The answer to a release comes when the next lease has begun, which does not release that. */
    @Test
    void releaseStage_thatIsToldLate_leavesTheNextLeaseAlone() throws Exception {
        DistributedLock lock = lock(LockOptions.defaults());
        Lease first = lock.acquire(RENEWING);
        Queue<Boolean> told = new ConcurrentLinkedQueue<>();
        var released = first.releaseAsync();
        var unused = released.thenAccept(outcome -> {
            told.add(true);
            first.close();
        });

        Lease next = next(lock);

        await().until(() -> {
            slow.runAll();
            return !told.isEmpty();
        });
        assertStands(lock, next);
        assertThat(released.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS))
                .isNotNull();
    }
}
