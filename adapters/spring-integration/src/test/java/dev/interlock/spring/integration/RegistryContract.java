package dev.interlock.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.LockClients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

/**
 * What Spring Integration documents of a {@code LockRegistry}, a {@code RenewableLockRegistry}, an
 * {@code ExpirableLockRegistry} and their locks, and what the tests of its own registries check besides. The same tests
 * run on both lines.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class RegistryContract {

    private static final Duration SHORT = LeaseTerm.MIN;
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String KEY = "foo";

    final LockClients clients = new LockClients(this::openStore);
    final Interlock client = clients.open();
    final String registryKey = clients.name();
    final AbstractRegistry<?> registry = Line.registry(client, registryKey, LONG);

    /** Another process. */
    private final AbstractRegistry<?> other = Line.registry(clients.open(), registryKey, LONG);

    abstract LockStore openStore();

    @AfterEach
    void close() {
        clients.closeAll();
    }

    /** Another caller gets the lock, and gives it back. */
    private static void assertFree(Lock lock) throws InterruptedException {
        assertThat(lock.tryLock(Patience.seconds(), TimeUnit.SECONDS)).isTrue();
        lock.unlock();
    }

    private void loseHold() {
        DistributedLock lock = client.lock(registryKey + ":" + KEY);
        Lease lease = lock.heldLease();
        assertThat(client.administration().forceUnlock(lock.name())).isTrue();
        await().until(() -> !lease.isValid());
    }

    // ---- LockRegistry

    @Test
    void obtain_givesOneLockForAKey() {
        assertThat(registry.lock(KEY)).isSameAs(registry.lock(KEY)).isNotSameAs(registry.lock("bar"));
        assertThat(registry.lock(KEY)).isNotEqualTo(other.lock(KEY));
    }

    @Test
    void obtain_byThreadsAtOnce_givesOneLock() throws Exception {
        for (int i = 0; i < 200; i++) {
            String key = KEY + i;
            CyclicBarrier together = new CyclicBarrier(2);
            Caller<Lock> first = Caller.start(() -> obtainAfter(together, key));
            Caller<Lock> second = Caller.start(() -> obtainAfter(together, key));
            assertThat(first.result()).isSameAs(second.result());
        }
    }

    private Lock obtainAfter(CyclicBarrier together, String key) throws Exception {
        together.await();
        registry.expireUnusedOlderThan(10_000);
        return registry.lock(key);
    }

    @Test
    void obtain_keyThatIsNoString_isRefused() {
        assertThatThrownBy(() -> registry.lock(42))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.Integer");
        assertThatThrownBy(() -> registry.lock("x".repeat(600))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void executeLocked_holdsTheLock_andReturnsTheResult() throws InterruptedException {
        DistributedLock lock = client.lock(registryKey + ":" + KEY);
        Line.asLockRegistry(registry).executeLocked(KEY, () -> {
            assertThat(lock.isHeldByCurrentThread()).isTrue();
        });
        int holds = Line.asLockRegistry(registry).executeLocked(KEY, () -> lock.holdCount());
        assertThat(holds).isEqualTo(1);
        assertThat(lock.holdCount()).isZero();
    }

    @Test
    void executeLocked_bodyThrows_releases() throws Exception {
        assertThatThrownBy(() -> Line.asLockRegistry(registry).executeLocked(KEY, () -> {
                    throw new IllegalStateException("of the body");
                }))
                .hasMessage("of the body");
        assertFree(other.lock(KEY));
    }

    @Test
    void executeLocked_withinAWait_holdsTheLock_orTimesOut() throws Exception {
        Object result = Line.asLockRegistry(registry).executeLocked(KEY, Patience.FULL, () -> "done");
        assertThat(result).isEqualTo("done");
        Lock held = other.lock(KEY);
        held.lock();
        assertThatThrownBy(() -> Line.asLockRegistry(registry).executeLocked(KEY, LockFixture.BRIEF, () -> {
                    throw new AssertionError("not locked");
                }))
                .isInstanceOf(TimeoutException.class);
        held.unlock();
        assertFree(registry.lock(KEY));
    }

    // ---- the locks

    @Test
    void lock_excludesOtherThreadsAndProcesses() throws Exception {
        for (int i = 0; i < 10; i++) {
            Lock lock = registry.lock(KEY);
            lock.lock();
            try {
                assertThat(Caller.test(registry.lock(KEY)::tryLock)).isFalse();
                assertThat(other.lock(KEY).tryLock()).isFalse();
            } finally {
                lock.unlock();
            }
        }
        assertFree(other.lock(KEY));
    }

    @Test
    void eachWayToLock_isReentrant() throws Exception {
        KeyLock lock = registry.lock(KEY);
        lock.lock();
        lock.lockInterruptibly();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        registry.lock(KEY).lock(SHORT);
        assertThat(lock.tryLock(LockFixture.BRIEF, SHORT)).isTrue();
        for (int holds = 6; holds > 0; holds--) {
            assertThat(other.lock(KEY).tryLock()).isFalse();
            lock.unlock();
        }
        assertFree(other.lock(KEY));
    }

    @Test
    void twoKeys_areTwoLocks() throws Exception {
        Lock first = registry.lock(KEY);
        Lock second = registry.lock("bar");
        first.lockInterruptibly();
        second.lockInterruptibly();
        first.unlock();
        assertThat(other.lock("bar").tryLock()).isFalse();
        second.unlock();
    }

    @Test
    void secondThread_waits_untilTheFirstUnlocks() throws Exception {
        Lock lock = registry.lock(KEY);
        lock.lockInterruptibly();
        Caller<Boolean> sameProcess = Caller.start(() -> lockAndUnlock(registry));
        Caller<Boolean> otherProcess = Caller.start(() -> lockAndUnlock(other));
        sameProcess.awaitBlocked();
        otherProcess.awaitBlocked();
        lock.unlock();
        assertThat(sameProcess.result()).isTrue();
        assertThat(otherProcess.result()).isTrue();
    }

    private static boolean lockAndUnlock(AbstractRegistry<?> registry) throws InterruptedException {
        Lock lock = registry.lock(KEY);
        lock.lockInterruptibly();
        lock.unlock();
        return true;
    }

    @Test
    void unlock_byAThreadThatDoesNotOwnIt_isRefused() throws Exception {
        Lock lock = registry.lock(KEY);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.lockInterruptibly();
        assertThatThrownBy(() -> Caller.call(() -> {
                    lock.unlock();
                    return true;
                }))
                .hasStackTraceContaining("IllegalMonitorStateException");
        assertThat(other.lock(KEY).tryLock()).isFalse();
        lock.unlock();
    }

    @Test
    void interrupted_interruptibleFormsThrow_lockWaitsOn() throws Exception {
        Lock held = other.lock(KEY);
        held.lock();
        KeyLock lock = registry.lock(KEY);
        Thread.currentThread().interrupt();
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.HOURS)).isInstanceOf(InterruptedException.class);
        Caller<Boolean> uninterruptible = Caller.start(() -> {
            Thread.currentThread().interrupt();
            lock.lock();
            lock.unlock();
            return Thread.interrupted();
        });
        uninterruptible.awaitBlocked();
        held.unlock();
        assertThat(uninterruptible.result()).isTrue();
    }

    @Test
    void waitersOfManyRegistries_areServedOneAfterTheOther() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            AbstractRegistry<?> one = Line.registry(clients.open(), registryKey, LONG);
            for (int thread = 0; thread < 2; thread++) {
                callers.add(Caller.start(() -> {
                    for (int turn = 0; turn < 3; turn++) {
                        Line.asLockRegistry(one).executeLocked(KEY, () -> {
                            assertThat(inside.incrementAndGet()).isEqualTo(1);
                            inside.decrementAndGet();
                        });
                    }
                    return true;
                }));
            }
        }
        for (Caller<Boolean> caller : callers) {
            assertThat(caller.result()).isTrue();
        }
    }

    @Test
    void newCondition_isNotSupported() {
        assertThatThrownBy(() -> registry.lock(KEY).newCondition()).isInstanceOf(UnsupportedOperationException.class);
    }

    // ---- time to live

    @Test
    void ttl_isThatOfTheCall() throws Exception {
        AbstractRegistry<?> brief = Line.registry(client, registryKey, SHORT);
        KeyLock lock = brief.lock(KEY);
        lock.lock(LONG);
        assertThat(registry.heldLease(KEY).remaining()).isGreaterThan(SHORT);
        lock.unlock();
        assertThat(lock.tryLock(Patience.FULL, LONG)).isTrue();
        assertThat(registry.heldLease(KEY).remaining()).isGreaterThan(SHORT);
        lock.unlock();
    }

    @Test
    void ttlOver_othersGetTheLock() throws Exception {
        Lock lock = Line.registry(client, registryKey, SHORT).lock(KEY);
        lock.lock();
        Lock next = other.lock(KEY);
        next.lock();
        assertThat(lock.tryLock()).isFalse();
        next.unlock();
    }

    @Test
    void ttlShorterThanALease_isRaised() {
        KeyLock lock = Line.registry(client, registryKey, Duration.ofMillis(1)).lock(KEY);
        assertThatCode(() -> {
                    lock.lock();
                    lock.lock(Duration.ofNanos(1));
                    lock.tryLock(Duration.ZERO, Duration.ZERO);
                })
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> lock.lock(Duration.ofDays(400))).isInstanceOf(IllegalArgumentException.class);
    }

    // ---- loss

    @Test
    void unlockOfALostLock_throwsConcurrentModification_andForgetsIt() throws Exception {
        KeyLock lock = registry.lock(KEY);
        lock.lock();
        loseHold();
        Lock next = other.lock(KEY);
        next.lock();
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(ConcurrentModificationException.class)
                .hasCauseInstanceOf(LockLostException.class)
                .hasMessageContaining(registryKey + ":" + KEY);
        assertThat(registry.lock(KEY).tryLock()).as("the other's lock stays").isFalse();
        next.unlock();
        assertFree(lock);
    }

    @Test
    void unlockAfterTheTtl_throwsConcurrentModification() {
        KeyLock lock = Line.registry(client, registryKey, SHORT).lock(KEY);
        lock.lock();
        Lease lease = registry.heldLease(KEY);
        await().until(() -> !lease.isValid());
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
    }

    @Test
    void lockOfALostHold_beginsAnew_andKeepsTheCount() throws Exception {
        KeyLock lock = registry.lock(KEY);
        lock.lock();
        lock.lock();
        long token = registry.heldLease(KEY).token();
        loseHold();
        lock.lock();
        assertThat(registry.heldLease(KEY).token()).isGreaterThan(token);
        lock.unlock();
        lock.unlock();
        assertThat(other.lock(KEY).tryLock()).as("still held once").isFalse();
        lock.unlock();
        assertFree(other.lock(KEY));
    }

    @Test
    void eachWayToLock_beginsAnewAfterALoss() throws Exception {
        KeyLock lock = registry.lock(KEY);
        lock.lock();
        loseHold();
        lock.lockInterruptibly();
        loseHold();
        assertThat(lock.tryLock()).isTrue();
        loseHold();
        assertThat(lock.tryLock(Patience.seconds(), TimeUnit.SECONDS)).isTrue();
        loseHold();
        lock.lock(LONG);
        loseHold();
        assertThat(lock.tryLock(Patience.FULL, LONG)).isTrue();
        for (int holds = 6; holds > 0; holds--) {
            lock.unlock();
        }
        assertFree(other.lock(KEY));
    }

    @Test
    void tryLockOfALostHold_busy_isRefused_andTheHoldIsForgotten() throws Exception {
        KeyLock lock = registry.lock(KEY);
        lock.lock();
        loseHold();
        Lock next = other.lock(KEY);
        next.lock();
        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.tryLock(LockFixture.BRIEF, LONG)).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        next.unlock();
        assertFree(lock);
    }

    // ---- RenewableLockRegistry

    @Test
    void renewLock_renewsTheTtl() throws Exception {
        KeyLock lock = registry.lock(KEY);
        lock.lock(Duration.ofMinutes(1));
        registry.renewLock(KEY);
        assertThat(registry.heldLease(KEY).remaining()).isGreaterThan(Duration.ofMinutes(2));
        lock.unlock();
    }

    @Test
    void renewLockWithATtl_makesItThatLong() {
        KeyLock lock = registry.lock(KEY);
        lock.lock();
        registry.renewLock(KEY, Duration.ofMinutes(30));
        assertThat(registry.heldLease(KEY).remaining()).isGreaterThan(Duration.ofMinutes(20));
        registry.renewLock(KEY, Duration.ofMillis(1));
        assertThat(registry.heldLease(KEY).remaining()).as("not shortened").isGreaterThan(Duration.ofMinutes(20));
        lock.unlock();
    }

    @Test
    void renewLock_notHeldByThisThread_throws() throws Exception {
        Lock lock = registry.lock(KEY);
        assertThatThrownBy(() -> registry.renewLock(KEY)).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        assertThatThrownBy(() -> Caller.call(() -> {
                    registry.renewLock(KEY);
                    return true;
                }))
                .hasStackTraceContaining("IllegalMonitorStateException");
        assertThatThrownBy(() -> other.renewLock(KEY)).isInstanceOf(IllegalMonitorStateException.class);
        lock.unlock();
    }

    @Test
    void renewLock_lost_throws() {
        KeyLock lock = registry.lock(KEY);
        lock.lock();
        loseHold();
        assertThatThrownBy(() -> registry.renewLock(KEY))
                .isInstanceOf(IllegalStateException.class)
                .hasCauseInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
    }

    @Test
    void renewalTaskScheduler_keepsLocksFromExpiring() {
        AbstractRegistry<?> renewed = Line.registry(client, registryKey, LockFixture.RENEWED.length());
        renewed.setRenewalTaskScheduler(new SimpleAsyncTaskScheduler());
        KeyLock lock = renewed.lock(KEY);
        lock.lock();
        LockFixture.awaitRenewal(renewed.heldLease(KEY));
        lock.unlock();
    }

    // ---- ExpirableLockRegistry

    @Test
    void expireUnusedOlderThan_removesLocksThatAreNotLocked() {
        KeyLock unused = registry.lock(KEY);
        KeyLock locked = registry.lock("bar");
        locked.lock();
        registry.expireUnusedOlderThan(TimeUnit.HOURS.toMillis(1));
        assertThat(registry.lock(KEY)).isSameAs(unused);
        registry.expireUnusedOlderThan(-1000);
        assertThat(registry.lock(KEY)).isNotSameAs(unused);
        assertThat(registry.lock("bar")).isSameAs(locked);
        locked.unlock();
        registry.expireUnusedOlderThan(0);
        assertThat(registry.lock("bar")).isNotSameAs(locked);
    }

    @Test
    void expiredLock_goesOnToWork() throws Exception {
        KeyLock expired = registry.lock(KEY);
        registry.expireUnusedOlderThan(0);
        expired.lock();
        KeyLock fresh = registry.lock(KEY);
        assertThat(Caller.test(fresh::tryLock)).isFalse();
        fresh.unlock();
        assertFree(other.lock(KEY));
    }

    // ---- what else

    @Test
    void withoutATtl_theClientsOptionsCount() {
        LockOptions options = LockOptions.builder()
                .lease(LeaseTerm.fixed(Duration.ofMinutes(7)))
                .build();
        Interlock configured = clients.open(builder -> builder.lockOptions(options));
        AbstractRegistry<?> byDefault = Line.registry(configured, registryKey);
        KeyLock lock = byDefault.lock(KEY);
        lock.lock();
        assertThat(byDefault.heldLease(KEY).remaining()).isGreaterThan(Duration.ofMinutes(6));
        lock.unlock();
        assertThatThrownBy(() -> Line.registry(
                        configured,
                        registryKey,
                        options.toBuilder().reentrant(false).build()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Line.registry(configured, "")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void changesOfTheOptions_beginWithTheDefaultsOfTheClient() {
        Interlock configured = clients.open(
                builder -> builder.lockOptions(options -> options.lease(LeaseTerm.fixed(Duration.ofMinutes(7)))));
        AbstractRegistry<?> changed = Line.registry(configured, registryKey, options -> options.participant("job"));
        KeyLock lock = changed.lock(KEY);
        lock.lock();
        assertThat(changed.heldLease(KEY).remaining()).isGreaterThan(Duration.ofMinutes(6));
        assertThat(configured.lock(changed.heldLease(KEY).name()).inspect().holders())
                .extracting(holder -> holder.party().thread())
                .containsExactly("job");
        lock.unlock();
        assertThatThrownBy(() -> Line.registry(configured, registryKey, options -> options.reentrant(false)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void lockOfTheClient_isTheSameLock() {
        AbstractRegistry<?> bare = Line.registry(client);
        KeyLock lock = bare.lock(registryKey);
        DistributedLock same = client.lock(registryKey);
        lock.lock();
        same.lock();
        assertThat(bare.heldLease(registryKey).token())
                .isEqualTo(same.heldLease().token());
        lock.unlock();
        same.unlock();
        assertThat(same.isHeldByCurrentThread()).isFalse();
    }

    @Test
    void registry_isALockRegistry() {
        assertThat(Line.asLockRegistry(registry).obtain(KEY)).isSameAs(registry.lock(KEY));
    }
}
