package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Capability;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/**
 * Locks that are released without waiting for the store: the client that has let go is never in its own way, others get
 * the lock as they do otherwise, and observers learn every outcome (I1, I2, I6).
 */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface EarlyReleaseContract extends LockFixture {

    LockOptions EARLY = LockOptions.builder().releaseEarly(true).build();

    /** What the releases of a client have found, in any order. */
    final class Outcomes implements LockObserver {
        private final Queue<ReleaseOutcome> all = new ConcurrentLinkedQueue<>();

        @Override
        public Acquisition acquiring(String name, LockKind kind, Mode mode) {
            return new Acquisition() {
                @Override
                public void ended(ReleaseOutcome outcome, Duration held) {
                    all.add(outcome);
                }
            };
        }

        void awaitReleased(int count) {
            await().until(() -> all.size() >= count);
            assertThat(all).hasSize(count).allMatch(ReleaseOutcome.RELEASED::equals);
        }
    }

    private Interlock client(Outcomes outcomes) {
        return clients().open(builder -> builder.lockOptions(EARLY).observer(outcomes));
    }

    private static void assertGranted(Callable<Boolean> attempt, int turn) throws Exception {
        assertThat(LockFixture.<Boolean>answer(attempt)).as("turn %d", turn).isTrue();
    }

    /** Also of a new client, whose server may not know all scripts yet. */
    @Test
    default void earlyRelease_isNeverInTheWayOfTheNextAcquire() throws Exception {
        Outcomes outcomes = new Outcomes();
        DistributedLock lock = client(outcomes).lock(clients().name());
        int turns = 30;
        long token = 0;
        for (int i = 0; i < turns; i++) {
            switch (i % 3) {
                case 0 -> lock.lock();
                case 1 -> assertGranted(lock::tryLock, i);
                default -> assertGranted(() -> lock.tryLock(Patience.limit()), i);
            }
            assertThat(lock.heldLease().token()).isGreaterThan(token);
            token = lock.heldLease().token();
            lock.unlock();
            assertThat(lock.isHeldByCurrentThread()).isFalse();
        }
        outcomes.awaitReleased(turns);
        assertThat(elsewhere(lock).isLocked()).isFalse();
    }

    @Test
    default void earlyRelease_letsAnotherClientIn() throws Exception {
        DistributedLock lock = client(new Outcomes()).lock(clients().name());
        DistributedLock other = elsewhere(lock);
        for (int i = 0; i < 3; i++) {
            Lease held = lock.acquire(LONG);
            Caller<Lease> waiting = Caller.start(() -> other.acquire(LONG)).awaitBlocked();
            held.close();
            try (Lease next = waiting.result()) {
                assertThat(next.token()).isGreaterThan(held.token());
            }
        }
    }

    @Test
    default void earlyRelease_onAnInterruptedThread_isSent_andKeepsTheFlag() throws Exception {
        Outcomes outcomes = new Outcomes();
        DistributedLock lock = client(outcomes).lock(clients().name());
        boolean interrupted = Caller.call(() -> {
            lock.lock(LONG);
            Thread.currentThread().interrupt();
            lock.unlock();
            return Thread.interrupted();
        });
        assertThat(interrupted).isTrue();
        outcomes.awaitReleased(1);
        try (Lease next = elsewhere(lock).acquire()) {
            assertThat(next.isValid()).isTrue();
        }
    }

    @Test
    default void earlyRelease_isAwaitedByClose() throws Exception {
        Outcomes outcomes = new Outcomes();
        Interlock client = client(outcomes);
        Interlock observer = clients().open();
        List<DistributedLock> locks = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            locks.add(client.lock(clients().name()));
            locks.get(i).lock(LONG);
        }
        locks.forEach(DistributedLock::unlock);

        client.close();

        assertThat(locks).noneMatch(lock -> observer.lock(lock.name()).isLocked());
        outcomes.awaitReleased(10);
    }

    /** Of two clients, each with two threads, which sometimes try and sometimes wait. */
    @Test
    default void earlyRelease_underContention_losesNoUpdate() {
        String name = clients().name();
        int turns = 20;
        long[] countAndToken = {0, 0};
        Outcomes outcomes = new Outcomes();
        Interlock one = client(outcomes);
        Interlock two = client(outcomes);
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (Interlock each : List.of(one, one, two, two)) {
            DistributedLock lock = each.lock(name);
            callers.add(Caller.startAction(() -> {
                for (int i = 0; i < turns; i++) {
                    if (!LockFixture.<Boolean>answer(lock::tryLock)) {
                        lock.lock();
                    }
                    long token = lock.heldLease().token();
                    assertThat(token).isGreaterThan(countAndToken[1]);
                    countAndToken[1] = token;
                    countAndToken[0]++;
                    lock.unlock();
                }
            }));
        }
        callers.forEach(Caller::result);
        assertThat(countAndToken[0]).isEqualTo(4L * turns);
        outcomes.awaitReleased(4 * turns);
    }

    /** Fair locks, both sides of a read/write lock, permits: what the store has of them. */
    @Test
    default void earlyRelease_ofOtherKinds_isNeverInTheWayOfTheNextAcquire() throws Exception {
        LockStore store = clients().store();
        Set<Capability> offered = store.capabilities();
        Outcomes outcomes = new Outcomes();
        Interlock client =
                clients().open(store, builder -> builder.lockOptions(EARLY).observer(outcomes));
        int turns = 5;
        int released = 0;
        if (offered.contains(Capability.FAIR_LOCK)) {
            DistributedLock fair =
                    client.lock(clients().name(), EARLY.toBuilder().fair(true).build());
            for (int i = 0; i < turns; i++) {
                fair.lock();
                fair.unlock();
                assertGranted(fair::tryLock, i);
                fair.unlock();
            }
            released += 2 * turns;
        }
        if (offered.contains(Capability.READ_WRITE_LOCK)) {
            DistributedReadWriteLock both = client.readWriteLock(clients().name());
            for (int i = 0; i < turns; i++) {
                both.readLock().lock();
                both.readLock().unlock();
                assertGranted(both.writeLock()::tryLock, i);
                both.writeLock().unlock();
                assertGranted(both.readLock()::tryLock, i);
                both.readLock().unlock();
            }
            released += 3 * turns;
        }
        if (offered.contains(Capability.SEMAPHORE)) {
            DistributedSemaphore semaphore = client.semaphore(clients().name(), 3);
            for (int i = 0; i < turns; i++) {
                Lease one = semaphore.acquire(1);
                Lease two = semaphore.acquire(2);
                one.close();
                two.close();
                LockFixture.<Optional<Lease>>answer(() -> semaphore.tryAcquire(3))
                        .orElseThrow()
                        .close();
            }
            released += 3 * turns;
        }
        outcomes.awaitReleased(released);
    }
}
