package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Interrupter;
import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Renewal: it keeps what is held, ends with it, and nothing of the user's delays it (P04). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface RenewalContract extends LockFixture {

    @Test
    default void P04_renewal_movesTheEndOfALease() throws Exception {
        CountingStore store = new CountingStore(clients().store());
        DistributedLock lock = clients().open(store, b -> b).lock(clients().name());
        DistributedLock other = elsewhere(lock);
        Lease lease = lock.acquire(RENEWED);

        LockFixture.awaitRenewal(lease);

        assertThat(other.inspect().holders().get(0).token()).isEqualTo(lease.token());
        assertThat(other.tryLock()).isFalse();
        assertThat(store.requests(Verb.RENEW)).isPositive();
        lease.close();
        assertThat(lock.isLocked()).isFalse();
    }

    @Tag(Effort.TIMING)
    @Test
    default void P04_renewal_keepsALeaseFarBeyondItsLength_byFewRequests() throws Exception {
        CountingStore store = new CountingStore(clients().store());
        DistributedLock lock = clients().open(store, b -> b).lock(clients().name());
        DistributedLock other = elsewhere(lock);
        Duration length = Duration.ofMillis(1500);
        Lease lease = lock.acquire(LeaseTerm.renewing(length));

        await().during(length.multipliedBy(2)).until(lease::isValid);
        assertThat(other.tryLock()).isFalse();
        assertThat(store.requests(Verb.RENEW)).isBetween(4L, 20L);
        lease.close();

        long renewals = store.requests(Verb.RENEW);
        await().during(length).until(() -> store.requests(Verb.RENEW) <= renewals + 1);
        assertThat(lock.isLocked()).isFalse();
    }

    /** Acquisitions that end in every way leave no renewal behind, and no claim. */
    @Tag(Effort.SCALED)
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    default void P04_acquireInterruptCancelRelease_leaveNoRenewal() throws Exception {
        CountingStore store = new CountingStore(clients().store());
        Interlock client = clients().open(store, b -> b);
        String prefix = clients().prefix() + "random-";
        int rounds = Effort.pick(storeScale() / 20, 25 * storeScale());
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int worker = i;
            callers.add(Caller.startAction(() -> acquireAtRandom(client, prefix, worker, rounds)));
        }
        for (Caller<Boolean> caller : callers) {
            caller.loopResult();
        }

        await().until(() -> client.administration().list(prefix, 100).isEmpty());
        AtomicLong last = new AtomicLong();
        // Longer than from one renewal to the next.
        await().during(RENEWED.length().dividedBy(3).plusMillis(200)).until(() -> {
            long renewals = store.requests(Verb.RENEW);
            return last.getAndSet(renewals) == renewals
                    && client.administration().list(prefix, 100).isEmpty();
        });
    }

    /** So often, and until an interrupt has come in the middle of it. */
    private static void acquireAtRandom(Interlock client, String prefix, int worker, int rounds) throws Exception {
        try (Interrupter interrupter = new Interrupter()) {
            for (int round = 0; round < rounds || interrupter.interruptions() == 0; round++) {
                randomAcquisition(client.lock(prefix + (worker + round) % 3), interrupter);
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
            }
        }
    }

    private static void randomAcquisition(DistributedLock lock, Interrupter interrupter) throws Exception {
        try {
            tryAtRandom(lock, interrupter);
        } catch (StoreUnavailableException e) {
            // Waits are shorter here than a busy store may take to answer.
        }
    }

    private static void tryAtRandom(DistributedLock lock, Interrupter interrupter) throws Exception {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        switch (random.nextInt(5)) {
            case 0 -> {
                CompletableFuture<Lease> future = lock.acquireAsync(RENEWED).toCompletableFuture();
                LockSupport.parkNanos(random.nextLong(200_000));
                if (!future.cancel(true)) {
                    future.join().close();
                }
            }
            case 1 -> {
                Thread.currentThread().interrupt();
                try {
                    lock.acquire(RENEWED).close();
                } catch (InterruptedException e) {
                    // One of the two ways in which this may end.
                }
            }
            case 2 ->
                interrupter.interrupt(
                        random.nextLong(500_000), () -> lock.acquire(RENEWED).close());
            case 3 ->
                lock.tryAcquire(Duration.ofNanos(random.nextLong(500_000)), RENEWED)
                        .ifPresent(Lease::close);
            default -> {
                if (lock.tryLock(Duration.ofMillis(1), RENEWED)) {
                    lock.unlock();
                }
            }
        }
    }
}
