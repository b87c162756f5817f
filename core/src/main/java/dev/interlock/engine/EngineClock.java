package dev.interlock.engine;

import dev.interlock.spi.ClientClock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** The clock of a client: monotonic, injected, in nanoseconds. Thread-safe. */
final class EngineClock {

    /** A moment that never comes: there is no deadline, or nothing is due. */
    static final long NEVER = Long.MAX_VALUE;

    /** A longer wait is as good as for ever. Safe to add to a moment. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

    private static final Duration LONGEST = Duration.ofNanos(LONGEST_NANOS);

    private final ClientClock source;
    private final long origin;

    /** Threads sleep by the clock of the machine. */
    EngineClock(LongSupplier source) {
        this(new MachineClock(source));
    }

    EngineClock(ClientClock source) {
        this.source = source;
        this.origin = source.nanos() - TimeUnit.SECONDS.toNanos(1);
    }

    /** The present moment; positive. */
    long now() {
        return source.nanos() - origin;
    }

    /** The calling thread, which waits for a lease, sleeps so long, {@link #NEVER} for no limit, or less. */
    void park(Object blocker, long nanos) {
        source.park(blocker, nanos);
    }

    /** The supervisor's thread sleeps so long or less. */
    void idle(Object blocker, long nanos) {
        source.idle(blocker, nanos);
    }

    /** Time as the machine has it, or a moment that a test says. */
    private record MachineClock(LongSupplier source) implements ClientClock {

        @Override
        public long nanos() {
            return source.getAsLong();
        }

        @Override
        public void park(Object blocker, long nanos) {
            if (nanos == NEVER) {
                LockSupport.park(blocker);
            } else {
                LockSupport.parkNanos(blocker, nanos);
            }
        }

        @Override
        public void idle(Object blocker, long nanos) {
            LockSupport.parkNanos(blocker, nanos);
        }
    }

    /** The nanoseconds of a wait: 0 for a negative one, a very long time for a longer one. */
    static long nanos(Duration wait) {
        if (wait.isNegative()) {
            return 0;
        }
        return wait.compareTo(LONGEST) >= 0 ? LONGEST_NANOS : wait.toNanos();
    }
}
