package dev.interlock.testkit.contract.lock;

import static dev.interlock.testkit.contract.lock.ReadWriteFixture.isFree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.fixture.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who holds together with whom, between clients, threads and handles (I1, I2, I3). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface ReadWriteExclusionContract extends ReadWriteFixture {

    // ---- the scenarios of two clients

    @Test
    default void twoClients_readRead_isShared() {
        DistributedReadWriteLock one = readWriteLock();
        DistributedReadWriteLock two = elsewhere(one);
        one.readLock().lock();

        two.readLock().lock();

        assertThat(one.readLock().isHeldByCurrentThread()).isTrue();
        assertThat(two.readLock().isHeldByCurrentThread()).isTrue();
        one.readLock().unlock();
        two.readLock().unlock();
        assertThat(one.readLock().isLocked()).isFalse();
    }

    @Test
    default void twoClients_readWrite_excludes() {
        excludes(Side.READ, Side.WRITE);
    }

    @Test
    default void twoClients_writeRead_excludes() {
        excludes(Side.WRITE, Side.READ);
    }

    @Test
    default void twoClients_writeWrite_excludes() {
        excludes(Side.WRITE, Side.WRITE);
    }

    /** While one client holds the first side another cannot have the second, waits for it, and gets it afterwards. */
    private void excludes(Side first, Side second) {
        DistributedReadWriteLock one = readWriteLock();
        DistributedLock other = second.of(elsewhere(one));
        first.of(one).lock();
        assertThat(isFree(other)).isFalse();
        Caller<Boolean> waiting =
                Caller.startAction(() -> LockFixture.lockAndUnlock(other)).awaitBlocked();
        assertThat(waiting.isDone()).isFalse();

        first.of(one).unlock();

        assertThat(waiting.result()).isTrue();
        assertThat(one.readLock().isLocked()).isFalse();
    }

    // ---- tokens

    /** I3: whoever writes has a larger token than everybody before; readers have tokens of their own. */
    @Test
    default void I03_tokens_ofWriters_areLargerThanAllBefore() throws Exception {
        DistributedReadWriteLock one = readWriteLock();
        DistributedReadWriteLock two = elsewhere(one);
        List<Long> tokens = new ArrayList<>();
        for (DistributedReadWriteLock lock : List.of(one, two, one)) {
            try (Lease reader = one.readLock().acquire();
                    Lease another = one.readLock().acquire();
                    Lease elsewhere = two.readLock().acquire()) {
                tokens.addAll(List.of(reader.token(), another.token(), elsewhere.token()));
            }
            try (Lease writer = lock.writeLock().acquire()) {
                assertThat(writer.token())
                        .isGreaterThan(tokens.stream().mapToLong(t -> t).max().orElse(0));
                tokens.add(writer.token());
            }
        }
        assertThat(tokens).doesNotHaveDuplicates();
    }

    // ---- under load

    /** I2: in two clients, by many threads, nobody writes while others are inside. */
    @Tag(Effort.SCALED)
    @Test
    default void I02_readersAndWriters_ofTwoClients_areNeverInsideTogether() {
        DistributedReadWriteLock one = readWriteLock();
        Inside inside = new Inside(8);
        DistributedReadWriteLock two = elsewhere(one);
        for (int lap = 0; lap < Effort.pick(1, 20); lap++) {
            List<Caller<Boolean>> callers = new ArrayList<>();
            for (DistributedReadWriteLock lock : List.of(one, two)) {
                for (int i = 0; i < 4; i++) {
                    callers.add(Caller.startAction(() -> inside.visit(lock, storeScale() / 8)));
                }
            }
            callers.forEach(Caller::result);
        }

        assertThat(inside.written).isEqualTo(inside.writes.get());
        assertThat(inside.writes.get()).isPositive();
        assertThat(one.inspect().isLocked()).isFalse();
    }

    /**
     * What the lock protects. Whoever is inside first stays there until all have come: on a busy machine it would
     * otherwise be through before the second runs.
     */
    final class Inside {
        private final AtomicInteger readers = new AtomicInteger();
        private final AtomicInteger writers = new AtomicInteger();
        private final AtomicInteger writes = new AtomicInteger();
        private final CountDownLatch absent;

        /** Not thread-safe on purpose. */
        private int written;

        Inside(int callers) {
            this.absent = new CountDownLatch(callers);
        }

        void visit(DistributedReadWriteLock lock, int rounds) {
            absent.countDown();
            ThreadLocalRandom random = ThreadLocalRandom.current();
            for (int i = 0; i < rounds; i++) {
                switch (random.nextInt(10)) {
                    case 0 -> lock.writeLock().run(this::write);
                    case 1 -> lock.writeLock().run(() -> downgrade(lock.readLock()));
                    default -> lock.readLock().run(this::read);
                }
            }
        }

        private void read() {
            readers.incrementAndGet();
            othersRun();
            assertThat(writers.get()).as("writers beside a reader").isZero();
            readers.decrementAndGet();
        }

        private void write() {
            writes.incrementAndGet();
            assertThat(writers.incrementAndGet()).as("writers").isEqualTo(1);
            int before = written;
            othersRun();
            assertThat(readers.get()).as("readers beside a writer").isZero();
            written = before + 1;
            writers.decrementAndGet();
        }

        /** Others get to run while this one is inside. */
        private void othersRun() {
            try {
                absent.await();
            } catch (InterruptedException e) {
                throw new AssertionError("Interrupted inside", e);
            }
            LockSupport.parkNanos(1);
        }

        private void downgrade(DistributedLock readLock) {
            write();
            readLock.run(this::read);
        }
    }
}
