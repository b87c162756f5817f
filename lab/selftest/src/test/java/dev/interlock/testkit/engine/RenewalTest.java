package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LossCause;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.FlakyStore;
import dev.interlock.testkit.store.FlakyStore.BadRenewals;
import dev.interlock.testkit.store.FlakyStore.Rates;
import dev.interlock.testkit.store.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Renewal that fails, and renewal of many leases (P04). */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class RenewalTest extends EngineSuite {

    @Tag(Effort.TIMING)
    @Test
    void P04_renewal_isOneRequestForManyLeases() throws Exception {
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

    /**
     * Half of all renewals come to nothing, by an exception or without an answer, and some answers come late: as long
     * as the store is reachable nothing is lost.
     */
    @Tag(Effort.SCALED)
    @Tag(Effort.MINUTES)
    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void P04_renewalsThatFailHalfTheTime_loseNothing() throws Exception {
        // The fourth in a row passes, which makes it half of all. Three without an answer take half a lease at most:
        // so the store is reachable within each lease.
        BadRenewals half = new BadRenewals(0.275, 0.275, 3);
        FlakyStore store = new FlakyStore(
                clients().store(), 4, Rates.NONE.withBadRenewals(half).withDelays(0.2, Duration.ofMillis(20)));
        Duration length = Effort.pick(RENEWED.length(), Duration.ofSeconds(10));
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
                .atMost(Duration.ofMinutes(10))
                .during(Effort.pick(Duration.ofSeconds(3), Duration.ofMinutes(2)))
                .until(() -> leases.stream().allMatch(Lease::isValid));
        untilOneIsLost.until(() -> store.failedRenewals() > 0 && store.vanishedRenewals() > 0);

        store.rates(Rates.NONE);
        leases.forEach(Lease::close);
    }

    /** Control of the test above: if all renewals fail, the leases are lost. */
    @Test
    void P04_control_renewalsThatAlwaysFail_loseTheLease() throws Exception {
        FlakyStore store = new FlakyStore(clients().store(), 4, Rates.NONE.withFailedRenewals(1));
        Lease lease = clients().open(store, b -> b).lock(clients().name()).acquire(RENEWED);
        Queue<LossCause> lost = new ConcurrentLinkedQueue<>();
        lease.onLost(lost::add);

        await().until(() -> !lost.isEmpty());

        assertThat(lost).containsExactly(LossCause.STORE_UNREACHABLE);
        assertThat(store.failedRenewals()).isGreaterThan(1);
    }

    @Tag(Effort.SCALED)
    @Tag(Effort.MINUTES)
    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void P04_aBlockedCallback_delaysNoRenewal() throws Exception {
        Duration time = Effort.pick(Duration.ofMillis(100), Duration.ofMinutes(1));
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
            try (Lease lease = client.lock(clients().name()).acquire(RENEWED)) {
                blocked.await();
                LockFixture.awaitRenewal(lease);
                await().atMost(time.plus(Patience.limit()))
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
