package dev.interlock.engine;

import dev.interlock.DistributedLock;
import dev.interlock.LockOptions;
import dev.interlock.memory.MemoryStore;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two clients of one store under one counter, with as few hand-overs inside a client as can be: so claims wait, are
 * woken and replaced. Nobody polls, so a wake that the engine loses would hang. Invariants I2 and I5.
 */
@Tag("scaled")
@Tag("long")
public class ClientsLincheckTest {

    private final MemoryStore store = new MemoryStore(() -> 1);
    private final LockOptions options =
            LockOptions.builder().handOver(1, Duration.ZERO).build();
    private final DistributedLock one = new StillEngine(store).lock(options);
    private final DistributedLock two = new StillEngine(store.session()).lock(options);
    private int counter;

    @Operation
    public int byOne() {
        return count(one);
    }

    @Operation
    public int byTwo() {
        return count(two);
    }

    private int count(DistributedLock lock) {
        lock.lock();
        try {
            return ++counter;
        } finally {
            lock.unlock();
        }
    }

    @Test
    void stress() {
        Lincheck.stress(4, 3, Counter.class, ClientsLincheckTest.class);
    }

    /** The same, for one thread. */
    public static class Counter {
        private int counter;

        public int byOne() {
            return ++counter;
        }

        public int byTwo() {
            return ++counter;
        }
    }
}
