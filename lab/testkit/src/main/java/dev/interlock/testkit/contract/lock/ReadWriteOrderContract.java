package dev.interlock.testkit.contract.lock;

import static dev.interlock.testkit.contract.lock.ReadWriteFixture.isFree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Who waits for whom, and that nobody waits for ever (I5, P17). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface ReadWriteOrderContract extends ReadWriteFixture {

    /** P17: by the readers of two clients, of which there is always one. */
    @Test
    default void P17_aWaitingWriter_isNotStarved_byReadersOfTwoClients() throws Exception {
        DistributedReadWriteLock one = readWriteLock();
        DistributedReadWriteLock two = elsewhere(one);
        for (DistributedReadWriteLock writing : List.of(elsewhere(one), one)) {
            AtomicBoolean over = new AtomicBoolean();
            List<Caller<Boolean>> readers = new ArrayList<>();
            for (DistributedReadWriteLock lock : List.of(one, two, one, two)) {
                readers.add(Caller.startAction(() -> {
                    while (!over.get()) {
                        lock.readLock().run(() -> hold(20));
                    }
                }));
            }
            await().until(() -> one.inspect().isLocked());

            assertThat(Caller.test(
                            () -> writing.writeLock().tryLock(Patience.limit()) && unlocked(writing.writeLock())))
                    .as("a writer among readers")
                    .isTrue();
            over.set(true);
            readers.forEach(Caller::result);
        }
    }

    /** And the other way round. */
    @Test
    default void P17_aWaitingReader_isNotStarved_byWritersOfTwoClients() throws Exception {
        DistributedReadWriteLock one = readWriteLock();
        DistributedReadWriteLock two = elsewhere(one);
        for (DistributedReadWriteLock reading : List.of(elsewhere(one), one)) {
            AtomicBoolean over = new AtomicBoolean();
            List<Caller<Boolean>> writers = new ArrayList<>();
            for (DistributedReadWriteLock lock : List.of(one, two, one, two)) {
                writers.add(Caller.startAction(() -> {
                    while (!over.get()) {
                        lock.writeLock().run(() -> hold(5));
                    }
                }));
            }
            await().until(() -> one.inspect().isLocked());

            assertThat(Caller.test(() -> reading.readLock().tryLock(Patience.limit()) && unlocked(reading.readLock())))
                    .as("a reader among writers")
                    .isTrue();
            over.set(true);
            writers.forEach(Caller::result);
        }
    }

    private static boolean unlocked(DistributedLock side) {
        side.unlock();
        return true;
    }

    /** Works for so long. */
    private static void hold(long millis) {
        long until = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
    }

    @Test
    default void order_aReader_doesNotOvertakeAWaitingWriter() throws Exception {
        DistributedReadWriteLock one = readWriteLock();
        DistributedReadWriteLock two = elsewhere(one);
        Lease reader = one.readLock().acquire();
        Caller<Boolean> writer = Caller.startAction(() -> LockFixture.lockAndUnlock(two.writeLock()))
                .awaitBlocked();
        if (storeListsWaiters()) {
            await().until(() -> !one.inspect().waiters().isEmpty());
        }

        assertThat(isFree(two.readLock())).as("beside the writer's own queue").isFalse();
        if (storeListsWaiters()) {
            await("the end of the turn of the first").until(() -> !isFree(one.readLock()));
        }

        reader.close();
        assertThat(writer.result()).isTrue();
        assertThat(isFree(one.readLock())).isTrue();
    }

    /** A writer that gives up lets those in that stood behind it. */
    @Test
    default void order_aWriterThatGivesUp_isInNobodysWay() throws Exception {
        DistributedReadWriteLock one = readWriteLock();
        DistributedReadWriteLock two = elsewhere(one);
        try (Lease reader = one.readLock().acquire()) {
            for (DistributedReadWriteLock lock : List.of(one, two)) {
                Caller<Boolean> writer = Caller.startAction(
                                () -> lock.writeLock().lockInterruptibly())
                        .awaitBlocked();
                Caller<Boolean> behind = Caller.startAction(() -> LockFixture.lockAndUnlock(lock.readLock()))
                        .awaitBlocked();

                writer.interrupt();

                assertThat(writer.failure()).isInstanceOf(InterruptedException.class);
                assertThat(behind.result()).isTrue();
            }
            assertThat(reader.isValid()).isTrue();
        }
        assertThat(isFree(two.writeLock())).isTrue();
    }

    /** Readers that follow a writer of their own process let those of others in when the turn is over. */
    @Test
    default void order_readersAfterAWriter_doNotKeepOthersOut() throws Exception {
        DistributedReadWriteLock one = readWriteLock();
        DistributedReadWriteLock two = elsewhere(one);
        Lease writer = one.writeLock().acquire();
        Caller<Lease> reader = Caller.start(() -> one.readLock().acquire()).awaitBlocked();
        writer.close();

        try (Lease here = reader.result();
                Lease there = two.readLock().tryAcquire(Patience.limit()).orElseThrow()) {
            assertThat(here.isValid()).isTrue();
            assertThat(there.isValid()).isTrue();
        }
        assertThat(isFree(two.writeLock())).isTrue();
    }
}
