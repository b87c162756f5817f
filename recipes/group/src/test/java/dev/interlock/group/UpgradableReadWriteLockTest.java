package dev.interlock.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.memory.MemoryStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rules of a lock with an upgradable side that no store can change: orders, holds, losses, tokens, wrong input. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its locks to its client
class UpgradableReadWriteLockTest {

    private final MemoryStore memory = new MemoryStore();
    private final Interlock client = Interlock.builder(memory.session()).build();
    private final Interlock other = Interlock.builder(memory.session()).build();
    private final UpgradableReadWriteLock here = UpgradableReadWriteLock.of(client, "prices");
    private final UpgradableReadWriteLock there = UpgradableReadWriteLock.of(other, "prices");

    @AfterEach
    void close() {
        other.close();
        client.close();
        memory.close();
    }

    private static boolean isFree(DistributedLock lock) {
        return Caller.test(() -> {
            boolean free = lock.tryLock();
            if (free) {
                lock.unlock();
            }
            return free;
        });
    }

    private void assertAllFree() {
        assertThat(there.inspect().isLocked()).isFalse();
        assertThat(there.inspect().waiters()).isEmpty();
    }

    // ---- a thread

    @Test
    void thread_upgradesAndDowngrades_asOftenAsItLikes() throws Exception {
        here.upgradableLock().lock();
        for (int i = 0; i < 3; i++) {
            assertThat(isFree(there.readLock())).isTrue();
            assertThat(isFree(there.upgradableLock())).isFalse();
            assertThat(isFree(there.writeLock())).isFalse();
            here.upgrade();
            assertThat(here.writeLock().isHeldByCurrentThread()).isTrue();
            assertThat(isFree(there.readLock())).isFalse();
            here.downgrade();
            assertThat(here.writeLock().isHeldByCurrentThread()).isFalse();
        }
        here.upgradableLock().unlock();
        assertAllFree();
    }

    @Test
    void thread_thatHasTheWriteLock_keepsTheUpgradable_byDowngrading() {
        here.writeLock().lock();
        here.downgrade();
        assertThat(here.upgradableLock().isHeldByCurrentThread()).isTrue();
        assertThat(isFree(there.readLock())).isTrue();
        assertThat(isFree(there.writeLock())).isFalse();
        here.upgradableLock().unlock();
        assertAllFree();
    }

    @Test
    void thread_upgradesTwice_andDowngradesTwice() throws Exception {
        here.upgradableLock().lock();
        here.upgrade();
        assertThat(here.tryUpgrade(Duration.ZERO)).isTrue();
        here.downgrade();
        assertThat(isFree(there.readLock())).isFalse();
        here.downgrade();
        assertThat(isFree(there.readLock())).isTrue();
        assertThatThrownBy(here::downgrade).isInstanceOf(IllegalMonitorStateException.class);
        here.upgradableLock().unlock();
    }

    @Test
    void thread_thatDoesNotHoldTheUpgradableLock_cannotUpgrade() {
        assertThatThrownBy(here::upgrade).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() -> here.tryUpgrade(Duration.ZERO)).isInstanceOf(IllegalMonitorStateException.class);
        assertAllFree();
    }

    @Test
    void upgradeThatReadersPrevent_leavesTheHolderWhatItHas() throws Exception {
        Lease reader = there.readLock().acquire();
        here.upgradableLock().lock();
        assertThat(here.tryUpgrade(Duration.ofMillis(1))).isFalse();
        assertThat(here.writeLock().isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(here::downgrade).isInstanceOf(IllegalMonitorStateException.class);
        here.upgradableLock().unlock();

        try (Lease upgradable = here.upgradableLock().acquire()) {
            assertThat(here.tryUpgrade(upgradable, Duration.ofMillis(1))).isEmpty();
            assertThat(upgradable.isValid()).isTrue();
            reader.close();
            try (Lease write = here.tryUpgrade(upgradable, Patience.limit()).orElseThrow()) {
                assertThat(write.token(here.name())).isEqualTo(upgradable.token());
                assertThat(isFree(there.readLock())).isFalse();
            }
            assertThat(isFree(there.readLock())).isTrue();
        }
        assertThat(here.toString()).contains("prices");
        assertAllFree();
    }

    // ---- orders that would deadlock

    @Test
    void reader_isRefused_byTheOtherSides() throws Exception {
        here.readLock().lock();
        assertThatThrownBy(here.upgradableLock()::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'prices'");
        assertThatThrownBy(here.upgradableLock()::tryLock).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(here.upgradableLock()::lockInterruptibly).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(here.writeLock()::lock).isInstanceOf(IllegalStateException.class);
        Lease upgradable = here.upgradableLock().acquire();
        assertThatThrownBy(() -> here.upgrade(upgradable)).isInstanceOf(IllegalStateException.class);
        assertThat(upgradable.isValid()).isTrue();
        upgradable.close();
        here.readLock().unlock();
        assertAllFree();
    }

    @Test
    void upgradableHolder_readsBesides_andUnlocksBeforeItUpgrades() throws Exception {
        here.upgradableLock().lock();
        here.readLock().lock();
        assertThatThrownBy(here::upgrade)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("read lock of 'prices'");
        here.readLock().unlock();
        here.upgrade();
        here.readLock().lock();
        here.downgrade();
        here.readLock().unlock();
        here.upgradableLock().unlock();
        assertAllFree();
    }

    @Test
    void holderOfTheUpgradableLock_cannotLockTheWriteLockInstead() {
        here.upgradableLock().lock();
        assertThatThrownBy(here.writeLock()::lock).isInstanceOf(IllegalStateException.class);
        here.upgradableLock().unlock();
        assertAllFree();
    }

    // ---- losses

    @Test
    void upgradableLease_thatIsLost_whileItWaits_holdsNothing() throws Exception {
        Lease reader = there.readLock().acquire();
        Lease upgradable = here.upgradableLock().acquire();
        Caller<Boolean> upgrade = Caller.startAction(
                        () -> assertThatThrownBy(() -> here.upgrade(upgradable)).isInstanceOf(LockLostException.class))
                .awaitBlocked();
        loseWhileItWaits(upgrade, reader);
        assertThatThrownBy(() -> here.upgrade(upgradable)).isInstanceOf(LockLostException.class);
    }

    private void loseWhileItWaits(Caller<Boolean> upgrade, Lease reader) {
        await().until(() -> !there.inspect().waiters().isEmpty());
        assertThat(isFree(there.readLock())).isFalse();
        assertThat(client.administration().forceUnlock("prices")).isTrue();
        // Although the reader stays; and other readers are let in.
        upgrade.result();
        assertThat(reader.isValid()).isTrue();
        await().until(() -> isFree(there.readLock()));
        reader.close();
        assertAllFree();
    }

    /** For a thread, as well as for a lease; whether it waits for the readers with or without an end. */
    @Test
    void upgradableLock_thatItsThreadLoses_whileItWaits_holdsNothing() throws Exception {
        List<Upgrade> upgrades = List.of(UpgradableReadWriteLock::upgrade, lock -> lock.tryUpgrade(Patience.limit()));
        for (Upgrade way : upgrades) {
            Lease reader = there.readLock().acquire();
            Caller<Boolean> upgrade = Caller.startAction(() -> {
                        here.upgradableLock().lock();
                        assertThatThrownBy(() -> way.of(here)).isInstanceOf(LockLostException.class);
                        assertThat(client.readWriteLock("prices" + UpgradableReadWriteLock.READERS)
                                        .writeLock()
                                        .holdCount())
                                .isZero();
                        assertThatThrownBy(here.upgradableLock()::unlock).isInstanceOf(LockLostException.class);
                    })
                    .awaitBlocked();
            loseWhileItWaits(upgrade, reader);
        }
    }

    private interface Upgrade {
        void of(UpgradableReadWriteLock lock) throws Exception;
    }

    /** An interrupt that ends the wait because of a loss is for nobody else, and one from elsewhere stays one. */
    @Test
    void upgradeThatWaits_tellsALossFromAnInterrupt() throws Exception {
        Lease reader = there.readLock().acquire();
        Lease upgradable = here.upgradableLock().acquire();
        Caller<Boolean> interrupted =
                Caller.startAction(() -> here.upgrade(upgradable)).awaitBlocked();
        await().until(() -> !there.inspect().waiters().isEmpty());
        interrupted.interrupt();
        assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
        assertThat(upgradable.isValid()).isTrue();

        Caller<Boolean> lost = Caller.start(() -> {
                    assertThatThrownBy(() -> here.tryUpgrade(upgradable, Patience.limit()))
                            .isInstanceOf(LockLostException.class);
                    return Thread.currentThread().isInterrupted();
                })
                .awaitBlocked();
        await().until(() -> !there.inspect().waiters().isEmpty());
        assertThat(client.administration().forceUnlock("prices")).isTrue();
        assertThat(lost.result()).as("interrupted").isFalse();
        reader.close();
        assertAllFree();
    }

    /** The lease has ended, and the interrupt has nothing to do with that: the caller finds it. */
    @Test
    void interruptFromElsewhere_stays_ifTheLeaseEndsMeanwhile() throws Exception {
        Lease reader = there.readLock().acquire();
        Lease upgradable = here.upgradableLock().acquire();
        Caller<Boolean> interrupted = Caller.start(() -> {
                    assertThatThrownBy(() -> here.upgrade(upgradable)).isInstanceOf(IllegalStateException.class);
                    return Thread.currentThread().isInterrupted();
                })
                .awaitBlocked();
        await().until(() -> !there.inspect().waiters().isEmpty());
        upgradable.close();
        interrupted.interrupt();
        assertThat(interrupted.result()).as("interrupted").isTrue();
        reader.close();
        assertAllFree();
    }

    /** Nobody waits for readers with a lock that is lost already. */
    @Test
    void lostUpgradableLock_isNotUpgraded_whoeverReads() throws Exception {
        try (Lease reader = there.readLock().acquire()) {
            Lease lost = here.upgradableLock().acquire();
            assertThat(client.administration().forceUnlock("prices")).isTrue();
            assertThatThrownBy(() -> here.tryUpgrade(lost, Duration.ZERO)).isInstanceOf(LockLostException.class);
            here.upgradableLock().lock();
            assertThat(client.administration().forceUnlock("prices")).isTrue();
            assertThatThrownBy(() -> here.tryUpgrade(Duration.ZERO)).isInstanceOf(LockLostException.class);
            assertThatThrownBy(here.upgradableLock()::unlock).isInstanceOf(LockLostException.class);
            assertThat(reader.isValid()).isTrue();
        }
        assertAllFree();
    }

    @Test
    void upgradedLease_isLost_withEitherClaim_andNotAfterItsRelease() throws Exception {
        for (boolean first : new boolean[] {true, false}) {
            List<LossCause> told = new CopyOnWriteArrayList<>();
            Lease upgradable = here.upgradableLock().acquire();
            Lease write = here.upgrade(upgradable);
            write.onLost(told::add);
            String ended = first ? "prices" : here.readLock().name();
            assertThat(client.administration().forceUnlock(ended)).isTrue();
            await().until(() -> !told.isEmpty());
            assertThat(write.isValid()).isFalse();
            assertThat(upgradable.isValid()).isEqualTo(!first);
            write.release();
            upgradable.release();
            assertThat(told).hasSize(1);
            assertAllFree();
        }
        List<LossCause> told = new CopyOnWriteArrayList<>();
        List<LossCause> told2 = new CopyOnWriteArrayList<>();
        Lease upgradable = here.upgradableLock().acquire();
        Lease write = here.upgrade(upgradable);
        write.onLost(told::add);
        write.close();
        upgradable.onLost(told2::add);
        assertThat(client.administration().forceUnlock("prices")).isTrue();
        await().until(() -> !told2.isEmpty());
        assertThat(told).isEmpty();
    }

    @Test
    void releasedUpgradableLease_cannotBeUpgraded() throws Exception {
        Lease upgradable = here.upgradableLock().acquire(LeaseTerm.fixed(Patience.limit()));
        upgradable.close();
        assertThatThrownBy(() -> here.upgrade(upgradable)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> here.tryUpgrade(upgradable, Duration.ZERO)).isInstanceOf(IllegalStateException.class);
        assertAllFree();
    }

    // ---- tokens

    @Test
    void tokens_ofWritesAndUpgrades_growFromHolderToHolder() throws Exception {
        long last = 0;
        for (int i = 0; i < 20; i++) {
            UpgradableReadWriteLock lock = i % 3 == 0 ? there : here;
            // The two names give their tokens at different speeds.
            lock.readLock().acquire().close();
            if (i % 2 == 0) {
                try (Lease write = lock.writeLock().acquire()) {
                    assertThat(write.token()).isGreaterThan(last);
                    last = write.token();
                }
            } else {
                try (Lease upgradable = lock.upgradableLock().acquire()) {
                    try (Lease write = lock.upgrade(upgradable)) {
                        assertThat(write.token()).isGreaterThan(last);
                        last = write.token();
                    }
                    try (Lease again = lock.upgrade(upgradable)) {
                        assertThat(again.token()).isGreaterThanOrEqualTo(last);
                        last = again.token();
                    }
                }
            }
        }
    }

    @Test
    void optionThatReadersLack_isForTheUpgradableSide() throws Exception {
        UpgradableReadWriteLock.of(client, "fair", options -> options.fair(true))
                .writeLock()
                .acquire()
                .close();
    }

    // ---- wrong input

    @Test
    void wrongInput_isRefused_andLeavesNothing() throws Exception {
        assertThatThrownBy(() -> UpgradableReadWriteLock.of(client, "")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> UpgradableReadWriteLock.of(client, "x".repeat(505)))
                .isInstanceOf(IllegalArgumentException.class);
        UpgradableReadWriteLock.of(client, "x".repeat(504))
                .writeLock()
                .acquire()
                .close();
        try (Lease another = client.lock("another").acquire()) {
            assertThatThrownBy(() -> here.upgrade(another))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'another'");
            assertThatThrownBy(() -> here.tryUpgrade(another, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'another'");
        }
        assertAllFree();
    }
}
