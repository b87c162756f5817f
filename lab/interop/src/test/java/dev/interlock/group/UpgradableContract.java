package dev.interlock.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The upgradable lock between clients, whatever the store: who gets in beside whom, and that no writer passes. */
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class UpgradableContract {

    private final String name = "prices-" + UUID.randomUUID();
    private final List<Interlock> clients = new ArrayList<>();

    /** Opens another client of the same shared data, as another process would. */
    abstract LockStore openStore();

    @AfterEach
    void closeClients() {
        clients.forEach(Interlock::close);
    }

    /** The lock in a client of its own, which waits for each answer of a slow store. */
    private UpgradableReadWriteLock open() {
        Interlock client =
                Interlock.builder(openStore()).attemptTimeout(Patience.limit()).build();
        clients.add(client);
        return UpgradableReadWriteLock.of(client, name);
    }

    /** Returns when so many wait to write to the two names: an upgrade for one, a writer for the other. */
    private static void awaitWriters(UpgradableReadWriteLock lock, int count) {
        await().until(() -> lock.inspect().waiters().stream()
                        .map(LockStatus.Waiter::mode)
                        .filter(mode -> mode instanceof Mode.Exclusive)
                        .count()
                == count);
    }

    @Test
    void upgradableLock_isHeldBesideReaders_andKeepsOutAllOthers() throws Exception {
        UpgradableReadWriteLock one = open();
        UpgradableReadWriteLock two = open();
        try (Lease reader = two.readLock().acquire();
                Lease upgradable = one.upgradableLock().acquire();
                Lease later = two.readLock().acquire()) {
            assertThat(List.of(reader, upgradable, later)).allMatch(Lease::isValid);
            assertThat(two.upgradableLock().tryAcquire()).isEmpty();
            assertThat(two.writeLock().tryAcquire()).isEmpty();
        }
        try (Lease writer = two.writeLock().acquire()) {
            assertThat(writer.isValid()).isTrue();
            assertThat(one.upgradableLock().tryAcquire()).isEmpty();
            assertThat(one.readLock().tryAcquire()).isEmpty();
        }
    }

    /** A writer that has waited for longer than the upgrade comes after it, and so does a reader. */
    @Test
    void upgrade_waitsForTheReaders_andNobodyPasses() throws Exception {
        UpgradableReadWriteLock one = open();
        UpgradableReadWriteLock two = open();
        UpgradableReadWriteLock three = open();
        Lease reader = two.readLock().acquire();
        Lease upgradable = one.upgradableLock().acquire();
        Caller<Lease> writer = Caller.start(three.writeLock()::acquire).awaitBlocked();
        awaitWriters(one, 1);
        Caller<Lease> upgrade = Caller.start(() -> one.upgrade(upgradable)).awaitBlocked();
        awaitWriters(one, 2);
        assertThat(upgrade.isDone()).isFalse();
        assertThat(two.inspect().holders()).hasSize(2);
        assertThat(three.readLock().tryAcquire()).isEmpty();

        reader.close();

        Lease write = upgrade.result();
        assertThat(two.readLock().tryAcquire()).isEmpty();
        assertThat(writer.isDone()).isFalse();
        write.close();
        two.readLock().acquire().close();
        assertThat(writer.isDone()).isFalse();
        upgradable.close();
        try (Lease next = writer.result()) {
            assertThat(next.token()).isGreaterThan(write.token());
        }
    }

    @Test
    void upgrade_thatGivesUp_leavesWhatItsCallerHad() throws Exception {
        UpgradableReadWriteLock one = open();
        UpgradableReadWriteLock two = open();
        Lease reader = two.readLock().acquire();
        Lease upgradable = one.upgradableLock().acquire();

        assertThat(one.tryUpgrade(upgradable, Duration.ofMillis(50))).isEmpty();
        Caller<Boolean> interrupted = Caller.startAction(() ->
                        assertThatThrownBy(() -> one.upgrade(upgradable)).isInstanceOf(InterruptedException.class))
                .awaitBlocked();
        interrupted.interrupt();
        interrupted.result();

        assertThat(upgradable.isValid()).isTrue();
        assertThat(two.writeLock().tryAcquire()).isEmpty();
        two.readLock().acquire().close();
        reader.close();
        try (Lease write = one.upgrade(upgradable)) {
            assertThat(write.isValid()).isTrue();
        }
        upgradable.close();
    }

    /** What a holder has read is what it finds when it has upgraded: without that, updates are lost. I1. */
    @Test
    void upgrades_amongReadersAndWriters_loseNoUpdate() {
        int turns = 10;
        long[] countAndToken = {0, 0};
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            UpgradableReadWriteLock lock = open();
            callers.add(Caller.startAction(() -> {
                for (int turn = 0; turn < turns; turn++) {
                    try (Lease upgradable = lock.upgradableLock().acquire()) {
                        long seen = countAndToken[0];
                        try (Lease write = lock.upgrade(upgradable)) {
                            written(countAndToken, seen, write);
                        }
                    }
                }
            }));
            callers.add(Caller.startAction(() -> {
                for (int turn = 0; turn < turns; turn++) {
                    try (Lease write = lock.writeLock().acquire()) {
                        written(countAndToken, countAndToken[0], write);
                    }
                }
            }));
            callers.add(Caller.startAction(() -> {
                for (int turn = 0; turn < turns; turn++) {
                    try (Lease reader = lock.readLock().acquire()) {
                        long seen = countAndToken[0];
                        LockSupport.parkNanos(1_000);
                        assertThat(countAndToken[0]).isEqualTo(seen);
                        assertThat(reader.isValid()).isTrue();
                    }
                }
            }));
        }
        callers.forEach(Caller::loopResult);
        assertThat(countAndToken[0]).isEqualTo(4L * turns);
    }

    private static void written(long[] countAndToken, long seen, Lease write) {
        assertThat(write.token()).isGreaterThan(countAndToken[1]);
        countAndToken[1] = write.token();
        LockSupport.parkNanos(1_000);
        countAndToken[0] = seen + 1;
    }
}
