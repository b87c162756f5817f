package dev.interlock.engine;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A plain counter under the lock, in all the forms in which the lock can be held: if the counter is linearizable, the
 * lock excludes; if a caller were forgotten, the operation would hang. Invariants I2 and I9.
 */
@Tag("scaled")
@Tag("wide")
public class LockLincheckTest {

    private final DistributedLock lock = new StillEngine().lock(LockOptions.defaults());
    private int counter;

    @Operation
    public int locked() {
        lock.lock();
        try {
            return ++counter;
        } finally {
            lock.unlock();
        }
    }

    @Operation
    public int reentered() {
        lock.lock();
        try {
            lock.lock();
            try {
                counter++;
            } finally {
                lock.unlock();
            }
            return ++counter;
        } finally {
            lock.unlock();
        }
    }

    @Operation
    public int async() {
        try (Lease lease = lock.acquireAsync().toCompletableFuture().join()) {
            lease.ensureValid();
            return ++counter;
        }
    }

    /** Whether it was granted first is for the schedule to decide; it must not disturb the others either way. */
    @Operation
    public void givenUp() {
        CompletableFuture<Lease> waiting = lock.acquireAsync().toCompletableFuture();
        if (!waiting.cancel(false)) {
            waiting.join().close();
        }
    }

    @Operation
    public void triedOnce() {
        lock.tryAcquire().ifPresent(Lease::close);
    }

    @Test
    void stress() {
        Lincheck.stress(3, 3, Counter.class, LockLincheckTest.class);
    }

    /** The same, for one thread. */
    public static class Counter {
        private int counter;

        public int locked() {
            return ++counter;
        }

        public int reentered() {
            counter += 2;
            return counter;
        }

        public int async() {
            return ++counter;
        }

        public void givenUp() {}

        public void triedOnce() {}
    }
}
