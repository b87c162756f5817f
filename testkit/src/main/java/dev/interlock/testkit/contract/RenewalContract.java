package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LossCause;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.FlakyStore;
import dev.interlock.testkit.store.FlakyStore.BadRenewals;
import dev.interlock.testkit.store.FlakyStore.Rates;
import dev.interlock.testkit.store.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Renewal: it keeps what is held, ends with it, and nothing of the user's delays it (P04). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface RenewalContract extends LockFixture {

    /** Longer than a busy machine keeps a renewal waiting. */
    Duration RENEWED = Duration.ofMillis(1500);

    @Test
    default void P04_renewal_keepsALeaseFarBeyondItsLength_andEndsWithIt() throws Exception {
        CountingStore store = new CountingStore(clients().store());
        DistributedLock lock = clients().open(store, b -> b).lock(clients().name());
        DistributedLock other = elsewhere(lock);
        Lease lease = lock.acquire(LeaseTerm.renewing(RENEWED));

        await().during(RENEWED.multipliedBy(2)).until(lease::isValid);
        assertThat(other.tryLock()).isFalse();
        assertThat(store.requests(Verb.RENEW)).isBetween(4L, 20L);
        lease.close();

        long renewals = store.requests(Verb.RENEW);
        await().during(RENEWED).until(() -> store.requests(Verb.RENEW) <= renewals + 1);
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    default void P04_renewal_isOneRequestForManyLeases() throws Exception {
        CountingStore store = new CountingStore(clients().store());
        Interlock client = clients().open(store, b -> b);
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            leases.add(client.lock(clients().name()).acquire(LeaseTerm.renewing(Duration.ofSeconds(3))));
        }

        await().during(Duration.ofMillis(2500)).until(() -> leases.stream().allMatch(Lease::isValid));

        assertThat(store.requests(Verb.RENEW)).isBetween(2L, 40L);
        leases.forEach(Lease::close);
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

        await().until(() -> client.list(prefix, 100).isEmpty());
        AtomicLong last = new AtomicLong();
        await().during(RENEWED).until(() -> {
            long renewals = store.requests(Verb.RENEW);
            return last.getAndSet(renewals) == renewals
                    && client.list(prefix, 100).isEmpty();
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
        LeaseTerm term = LeaseTerm.renewing(RENEWED);
        ThreadLocalRandom random = ThreadLocalRandom.current();
        switch (random.nextInt(5)) {
            case 0 -> {
                CompletableFuture<Lease> future = lock.acquireAsync(term).toCompletableFuture();
                LockSupport.parkNanos(random.nextLong(200_000));
                if (!future.cancel(true)) {
                    future.join().close();
                }
            }
            case 1 -> {
                Thread.currentThread().interrupt();
                try {
                    lock.acquire(term).close();
                } catch (InterruptedException e) {
                    // One of the two ways in which this may end.
                }
            }
            case 2 ->
                interrupter.interrupt(
                        random.nextLong(500_000), () -> lock.acquire(term).close());
            case 3 ->
                lock.tryAcquire(Duration.ofNanos(random.nextLong(500_000)), term)
                        .ifPresent(Lease::close);
            default -> {
                if (lock.tryLock(Duration.ofMillis(1), term)) {
                    lock.unlock();
                }
            }
        }
    }

    /**
     * Half of all renewals come to nothing, by an exception or without an answer, and some answers come late: as long
     * as the store is reachable nothing is lost.
     */
    @Tag(Effort.SCALED)
    @Tag(Effort.MINUTES)
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    default void P04_renewalsThatFailHalfTheTime_loseNothing() throws Exception {
        // The fourth in a row passes, which makes it half of all. Three without an answer take half a lease at most:
        // so the store is reachable within each lease.
        BadRenewals half = new BadRenewals(0.275, 0.275, 3);
        FlakyStore store = new FlakyStore(
                clients().store(), 4, Rates.NONE.withBadRenewals(half).withDelays(0.2, Duration.ofMillis(20)));
        Duration length = Effort.pick(RENEWED, Duration.ofSeconds(10));
        Interlock client = clients().open(store, b -> b.attemptTimeout(length.dividedBy(15)));
        Queue<String> lost = new ConcurrentLinkedQueue<>();
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Lease lease = client.lock(clients().name()).acquire(LeaseTerm.renewing(length));
            lease.onLost(cause -> lost.add(lease.name() + ": " + cause));
            leases.add(lease);
        }

        ConditionFactory untilOneIsLost = await().failFast(
                        () -> assertThat(lost).as("lost, with %s", store).isEmpty());
        untilOneIsLost
                .atMost(Duration.ofMinutes(5))
                .during(Effort.pick(Duration.ofSeconds(3), Duration.ofMinutes(2)))
                .until(() -> leases.stream().allMatch(Lease::isValid));
        untilOneIsLost
                .atMost(Duration.ofMinutes(1))
                .until(() -> store.failedRenewals() > 1 && store.vanishedRenewals() > 1);

        store.rates(Rates.NONE);
        leases.forEach(Lease::close);
    }

    /** Control of the test above: if all renewals fail, the leases are lost. */
    @Test
    default void P04_control_renewalsThatAlwaysFail_loseTheLease() throws Exception {
        FlakyStore store = new FlakyStore(clients().store(), 4, Rates.NONE.withFailedRenewals(1));
        Lease lease = clients().open(store, b -> b).lock(clients().name()).acquire(LeaseTerm.renewing(RENEWED));
        Queue<LossCause> lost = new ConcurrentLinkedQueue<>();
        lease.onLost(lost::add);

        await().until(() -> !lost.isEmpty());

        assertThat(lost).containsExactly(LossCause.STORE_UNREACHABLE);
        assertThat(store.failedRenewals()).isGreaterThan(1);
    }

    @Tag(Effort.SCALED)
    @Tag(Effort.MINUTES)
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    default void P04_aBlockedCallback_delaysNoRenewal() throws Exception {
        Duration time = Effort.pick(RENEWED.multipliedBy(2), Duration.ofMinutes(1));
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            Interlock client = clients().open(b -> b.callbackExecutor(one));
            Lease victim = client.lock(clients().name()).acquire(LeaseTerm.fixed(Duration.ofMillis(100)));
            victim.onLost(cause -> {
                blocked.countDown();
                awaitUninterruptibly(release);
            });
            try (Lease lease = client.lock(clients().name()).acquire(LeaseTerm.renewing(RENEWED))) {
                blocked.await();
                await().atMost(time.plus(AMPLE))
                        .during(time)
                        .failFast("the lease is lost", () -> !lease.isValid())
                        .until(lease::isValid);
            }
        } finally {
            release.countDown();
            one.shutdown();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
