package dev.interlock.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LockLostException;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.LockClients;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What ShedLock documents of a {@code LockProvider}, a {@code SimpleLock} and a {@code LockConfiguration}, and what its
 * test support demands of a provider.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class LockProviderContract {

    private static final Duration AMPLE = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(50);

    final LockClients clients = new LockClients(this::openStore);
    final Interlock client = clients.open();
    final LockProvider provider = new InterlockLockProvider(client);

    /** Another process. */
    final LockProvider other = new InterlockLockProvider(clients.open());

    final String name = clients.name();

    abstract LockStore openStore();

    @AfterEach
    void close() {
        clients.closeAll();
    }

    final LockConfiguration task(Duration atMost, Duration atLeast) {
        return task(name, atMost, atLeast);
    }

    static LockConfiguration task(String name, Duration atMost, Duration atLeast) {
        return new LockConfiguration(ClockProvider.now(), name, atMost, atLeast);
    }

    final SimpleLock locked(Duration atMost, Duration atLeast) throws Exception {
        return Patience.inTime(() -> {
            try {
                return provider.lock(task(atMost, atLeast));
            } catch (LockException e) {
                // The store's answer came when so short a lease was over.
                assertThat(e.getCause()).isInstanceOfAny(StoreUnavailableException.class, LockLostException.class);
                return Optional.empty();
            }
        });
    }

    final void assertLocked() throws Exception {
        assertThat(other.lock(task(AMPLE, Duration.ZERO))).isEmpty();
        assertThat(provider.lock(task(AMPLE, Duration.ZERO))).isEmpty();
        assertThat(client.lock(name).isLocked()).isTrue();
    }

    final void assertUnlocked() throws Exception {
        assertThat(client.lock(name).isLocked()).isFalse();
        other.lock(task(AMPLE, Duration.ZERO)).orElseThrow().unlock();
    }

    // ---- LockProvider

    @Test
    void lock_excludes_untilItIsUnlocked() throws Exception {
        for (int i = 0; i < 10; i++) {
            SimpleLock lock = locked(AMPLE, Duration.ZERO);
            assertLocked();
            lock.unlock();
            assertUnlocked();
        }
    }

    @Test
    void twoNames_areTwoLocks() throws Exception {
        SimpleLock first = locked(AMPLE, Duration.ZERO);
        SimpleLock second =
                other.lock(task(clients.name(), AMPLE, Duration.ZERO)).orElseThrow();
        first.unlock();
        second.unlock();
    }

    @Test
    void prefix_beginsTheName() throws Exception {
        LockProvider prefixed = new InterlockLockProvider(client, name + ":");
        SimpleLock lock = prefixed.lock(task("nightly", AMPLE, Duration.ZERO)).orElseThrow();
        assertThat(client.lock(name + ":nightly").isLocked()).isTrue();
        assertUnlocked();
        lock.unlock();
    }

    @Test
    void callersAtOnce_areNeverInsideTogether() {
        int[] counter = new int[1];
        int rounds = 10;
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            LockingTaskExecutor executor = new DefaultLockingTaskExecutor(i % 2 == 0 ? provider : other);
            callers.add(Caller.startAction(() -> {
                for (int done = 0; done < rounds; ) {
                    AtomicBoolean ran = new AtomicBoolean();
                    executor.executeWithLock(
                            (Runnable) () -> {
                                counter[0]++;
                                ran.set(true);
                            },
                            task(AMPLE, Duration.ZERO));
                    done += ran.get() ? 1 : 0;
                    Thread.sleep(1);
                }
            }));
        }
        callers.forEach(Caller::result);
        assertThat(counter[0]).isEqualTo(4 * rounds);
    }

    // ---- LockConfiguration

    @Test
    void lockAtMostFor_isTheLongestTime() throws Exception {
        SimpleLock lock = locked(SHORT, Duration.ZERO);
        await().until(() -> !client.lock(name).isLocked());
        SimpleLock next = other.lock(task(AMPLE, Duration.ZERO)).orElseThrow();
        lock.unlock();
        assertThat(client.lock(name).isLocked()).as("not that of the next one").isTrue();
        next.unlock();
        assertUnlocked();
    }

    @Test
    void lockAtMostFor_lessThanALease_isRaised() throws Exception {
        locked(Duration.ZERO, Duration.ZERO).unlock();
        locked(Duration.ofMillis(1), Duration.ZERO).unlock();
        assertUnlocked();
    }

    @Test
    void lockAtMostFor_isNotRenewed_andCountsFromTheCall() throws Exception {
        Instant longAgo = Instant.EPOCH;
        SimpleLock lock = provider.lock(new LockConfiguration(longAgo, name, AMPLE, Duration.ZERO))
                .orElseThrow();
        assertThat(client.lock(name).inspect().holders().get(0).remainingLease())
                .isLessThanOrEqualTo(AMPLE)
                .isGreaterThan(AMPLE.dividedBy(2));
        lock.unlock();
    }

    // ---- SimpleLock

    @Test
    void unlock_twice_isRefused() throws Exception {
        SimpleLock lock = locked(AMPLE, Duration.ZERO);
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lock.extend(AMPLE, Duration.ZERO)).isInstanceOf(IllegalStateException.class);
        assertUnlocked();
    }

    @Test
    void extend_makesItLonger() throws Exception {
        SimpleLock lock = locked(Duration.ofMinutes(1), Duration.ZERO);
        SimpleLock extended = lock.extend(Duration.ofMinutes(10), Duration.ZERO).orElseThrow();
        assertThat(client.lock(name).inspect().holders().get(0).remainingLease())
                .isGreaterThan(Duration.ofMinutes(2));
        extended.unlock();
        assertUnlocked();
    }

    @Test
    void extend_severalTimes_eachLockOnce() throws Exception {
        SimpleLock first = locked(AMPLE, Duration.ZERO);
        SimpleLock second = first.extend(AMPLE, Duration.ZERO).orElseThrow();
        SimpleLock third = second.extend(AMPLE, Duration.ZERO).orElseThrow();
        for (SimpleLock over : List.of(first, second)) {
            assertThatThrownBy(() -> over.extend(AMPLE, Duration.ZERO)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(over::unlock).isInstanceOf(IllegalStateException.class);
        }
        assertLocked();
        third.unlock();
        assertUnlocked();
    }

    @Test
    void extend_overTime_isEmpty() throws Exception {
        SimpleLock lock = locked(SHORT, Duration.ZERO);
        await().until(() -> !client.lock(name).isLocked());
        assertThat(lock.extend(AMPLE, Duration.ZERO)).isEmpty();
        assertUnlocked();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void extend_takenByOthers_isEmpty() throws Exception {
        SimpleLock lock = locked(AMPLE, Duration.ZERO);
        client.administration().forceUnlock(name);
        SimpleLock next = other.lock(task(AMPLE, Duration.ZERO)).orElseThrow();
        assertThat(lock.extend(AMPLE, Duration.ZERO)).isEmpty();
        next.unlock();
    }

    // ---- what builds upon it

    @Test
    void lockExtenderAndLockAssert_workInATask() throws Exception {
        AtomicBoolean ran = new AtomicBoolean();
        new DefaultLockingTaskExecutor(provider)
                .executeWithLock(
                        (Runnable) () -> {
                            LockAssert.assertLocked();
                            LockExtender.extendActiveLock(Duration.ofMinutes(30), Duration.ZERO);
                            assertThat(client.lock(name)
                                            .inspect()
                                            .holders()
                                            .get(0)
                                            .remainingLease())
                                    .isGreaterThan(Duration.ofMinutes(20));
                            ran.set(true);
                        },
                        task(AMPLE, Duration.ZERO));
        assertThat(ran).isTrue();
        assertUnlocked();
    }

    @Test
    void keepAliveLockProvider_worksOnIt() throws Exception {
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        try {
            LockProvider kept = new KeepAliveLockProvider((InterlockLockProvider) provider, scheduler);
            SimpleLock lock = kept.lock(task(AMPLE, Duration.ZERO)).orElseThrow();
            assertLocked();
            lock.unlock();
            assertUnlocked();
        } finally {
            scheduler.shutdownNow();
        }
    }
}
