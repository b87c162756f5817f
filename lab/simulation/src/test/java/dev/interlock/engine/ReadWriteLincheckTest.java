package dev.interlock.engine;

import dev.interlock.DistributedReadWriteLock;
import dev.interlock.LockOptions;
import dev.interlock.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A plain counter, written under the write lock and read under the read lock, in two clients with as few hand-overs as
 * can be: so claims wait, are woken, replaced, put aside and converted. No time passes: a reader or writer that the
 * engine forgets would hang. Invariants I2, I5 and I9.
 */
@Tag("scaled")
@Tag("long")
public class ReadWriteLincheckTest {

    private final MemoryStore store = new MemoryStore(() -> 1);
    private final LockOptions options =
            LockOptions.builder().handOver(1, Duration.ofDays(1)).build();
    private final DistributedReadWriteLock one = new StillEngine(store).readWriteLock(options);
    private final DistributedReadWriteLock two = new StillEngine(store.session()).readWriteLock(options);
    private int counter;

    @Operation
    public int written() {
        return write(one);
    }

    @Operation
    public int writtenByTheOther() {
        return write(two);
    }

    @Operation
    public int read() {
        return read(one);
    }

    @Operation
    public int readByTheOther() {
        return read(two);
    }

    /** The write lock, then the read lock besides, then the read lock alone. */
    @Operation
    public int downgraded() {
        one.writeLock().lock();
        try {
            counter++;
            one.readLock().lock();
        } finally {
            one.writeLock().unlock();
        }
        try {
            return counter;
        } finally {
            one.readLock().unlock();
        }
    }

    /** Whether it was granted first is for the schedule to decide; it must not disturb the others either way. */
    @Operation
    public void givenUp() {
        CompletableFuture<?> waiting = one.writeLock().acquireAsync().toCompletableFuture();
        if (!waiting.cancel(false)) {
            ((EngineLease) waiting.join()).close();
        }
    }

    private int write(DistributedReadWriteLock lock) {
        lock.writeLock().lock();
        try {
            return ++counter;
        } finally {
            lock.writeLock().unlock();
        }
    }

    private int read(DistributedReadWriteLock lock) {
        lock.readLock().lock();
        try {
            return counter;
        } finally {
            lock.readLock().unlock();
        }
    }

    @Test
    void stress() {
        Lincheck.stress(4, 3, Counter.class, ReadWriteLincheckTest.class);
    }

    /** The same, for one thread. */
    public static class Counter {
        private int counter;

        public int written() {
            return ++counter;
        }

        public int writtenByTheOther() {
            return ++counter;
        }

        public int read() {
            return counter;
        }

        public int readByTheOther() {
            return counter;
        }

        public int downgraded() {
            return ++counter;
        }

        public void givenUp() {}
    }
}
