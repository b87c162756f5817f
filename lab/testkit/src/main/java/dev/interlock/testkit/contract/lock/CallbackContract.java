package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseOrigin;
import dev.interlock.LeaseTerm;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.store.FlakyStore;
import dev.interlock.testkit.store.FlakyStore.BadRenewals;
import dev.interlock.testkit.store.FlakyStore.Rates;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Callbacks, completions, and observers with an executor: what they are told, and that they may lock (I9, P24). */
interface CallbackContract extends LockFixture {

    /** A blocking acquire and release of another lock, from wherever it is called. */
    private static void lockSomething(Interlock client, String name) {
        LockFixture.lockAndUnlock(client.lock(name));
    }

    @Test
    default void P24_completionsOfFutures_mayLock() throws Exception {
        Interlock client = clients().open();
        String inner = clients().name();
        DistributedLock lock = client.lock(clients().name());
        DistributedLock contended = client.lock(clients().name());
        Lease first = elsewhere(contended).acquire(LONG);
        CountDownLatch done = new CountDownLatch(2);
        var free = lock.acquireAsync().thenAccept(lease -> {
            lockSomething(client, inner);
            lease.close();
            done.countDown();
        });
        var waited = contended.acquireAsync().thenAccept(lease -> {
            lockSomething(client, inner);
            lease.close();
            done.countDown();
        });
        first.close();

        assertThat(done.await(Patience.seconds(), TimeUnit.SECONDS))
                .as("%s and %s", free, waited)
                .isTrue();
    }

    @Test
    default void P24_onLost_mayLock() throws Exception {
        Interlock client = clients().open();
        String inner = clients().name();
        CountDownLatch done = new CountDownLatch(1);
        DistributedLock lock = client.lock(clients().name());
        Lease lease = lock.acquire(LeaseTerm.fixed(Duration.ofMillis(100)));
        lease.onLost(cause -> {
            lockSomething(client, inner);
            lockSomething(client, lock.name());
            done.countDown();
        });

        assertThat(done.await(Patience.seconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** After every call of an observer, one thread of the user's locks and unlocks. */
    @Test
    default void P24_observersWithAnExecutor_mayLock() throws Exception {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            String prefix = clients().name();
            LockingObserver observer = new LockingObserver(prefix + "inner", one);
            // Each second one, so that the lease lives however late this thread hears of a failure.
            FlakyStore store =
                    new FlakyStore(clients().store(), 24, Rates.NONE.withBadRenewals(new BadRenewals(1, 0, 1)));
            // The turn of a claim is not over before it passes on.
            LockOptions options =
                    LockOptions.builder().handOver(1, Duration.ofMinutes(1)).build();
            Interlock client = clients()
                    .open(store, b -> b.lockOptions(options).observer(observer).callbackExecutor(one));
            observer.client(client);
            DistributedLock lock = client.lock(prefix + "outer");
            Lease renewed = lock.acquire(RENEWED);
            assertThat(clients().open().lock(lock.name()).tryAcquire()).isEmpty();
            await().until(() -> observer.told.containsAll(Set.of("renewalFailed", "renewed")));
            assertThat(LockFixture.answer(() -> lock.tryAcquire(BRIEF))).isEmpty();
            Caller<Lease> next = Caller.start(() -> lock.acquire(RENEWED)).awaitBlocked();
            renewed.close();
            next.result().close();
            lock.acquire(LeaseTerm.fixed(Duration.ofMillis(100)));
            await().until(() -> observer.told.containsAll(Set.of(
                    "requested",
                    "acquired from STORE",
                    "gaveUp",
                    "renewalFailed",
                    "renewed",
                    "acquired from HAND_OVER",
                    "ended RELEASED",
                    "ended LOST(EXPIRED)")));
        } finally {
            one.shutdown();
        }
    }

    /** On the user's executor, locks after every call, but for calls about the lock that it uses itself. */
    final class LockingObserver implements LockObserver {

        final Set<String> told = ConcurrentHashMap.newKeySet();
        private final String inner;
        private final Executor executor;
        private volatile @Nullable Interlock client;

        LockingObserver(String inner, Executor executor) {
            this.inner = inner;
            this.executor = executor;
        }

        void client(Interlock newClient) {
            client = newClient;
        }

        private void lockAfter(String method, String name) {
            Interlock current = client;
            if (current != null && !name.equals(inner)) {
                executor.execute(() -> {
                    lockSomething(current, inner);
                    told.add(method);
                });
            }
        }

        @Override
        public Acquisition acquiring(String name, LockKind kind, Mode mode) {
            return new Acquisition() {
                @Override
                public void acquired(long token, LeaseOrigin origin, Duration waited) {
                    lockAfter("acquired from " + origin, name);
                }

                @Override
                public void gaveUp(@Nullable Throwable failure, Duration waited) {
                    lockAfter("gaveUp", name);
                }

                @Override
                public void ended(ReleaseOutcome outcome, Duration held) {
                    lockAfter("ended " + outcome, name);
                }
            };
        }

        @Override
        public void requested(String name, String owner) {
            lockAfter("requested", name);
        }

        @Override
        public void renewed(String name, String owner) {
            lockAfter("renewed", name);
        }

        @Override
        public void renewalFailed(String name, String owner, Duration remaining, StoreUnavailableException failure) {
            lockAfter("renewalFailed", name);
        }
    }
}
