package dev.interlock.engine;

import dev.interlock.DistributedLock;
import dev.interlock.LockOptions;
import dev.interlock.spi.LockId;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The table of holds: each thread sees its own counts and nobody else's, whatever the others do. Invariant I9: exact
 * hold counts.
 */
@Param(name = "thread", gen = ThreadIdGen.class)
@Tag("scaled")
@Tag("wide")
public class HoldsLincheckTest {

    private final DistributedLock[] ownLock = new DistributedLock[3];
    private final StillEngine engine = new StillEngine();

    public HoldsLincheckTest() {
        for (int i = 0; i < ownLock.length; i++) {
            ownLock[i] = engine.lock(LockId.lock("of thread " + i), LockOptions.defaults());
        }
    }

    @Operation(params = "thread")
    public boolean tryLock(int thread) {
        return ownLock[thread].tryLock();
    }

    @Operation(params = "thread")
    public void unlock(int thread) {
        ownLock[thread].unlock();
    }

    @Operation(params = "thread")
    public int holdCount(int thread) {
        return ownLock[thread].holdCount();
    }

    @Operation(params = "thread")
    public boolean holdsThatOfTheNext(int thread) {
        DistributedLock other = ownLock[(thread + 1) % ownLock.length];
        return other.isHeldByCurrentThread();
    }

    @Test
    void stress() {
        Lincheck.stress(3, 4, Counts.class, HoldsLincheckTest.class);
    }

    /** The same, for one thread. */
    public static class Counts {
        private final int[] counts = new int[3];

        public boolean tryLock(int thread) {
            counts[thread]++;
            return true;
        }

        public void unlock(int thread) {
            if (counts[thread] == 0) {
                throw new IllegalMonitorStateException();
            }
            counts[thread]--;
        }

        public int holdCount(int thread) {
            return counts[thread];
        }

        public boolean holdsThatOfTheNext(int thread) {
            return false;
        }
    }
}
