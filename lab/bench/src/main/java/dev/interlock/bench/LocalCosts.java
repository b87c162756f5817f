package dev.interlock.bench;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The costs for one thread without a server, on the store in memory. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LocalCosts {

    private final ReentrantLock local = new ReentrantLock();
    private final Interlock client = Interlock.inMemory();
    private final DistributedLock free = client.lock("free");
    private final DistributedLock held = client.lock("held");
    private final Lease lease = client.lock("lease").tryAcquire().orElseThrow();

    /** Prepares the hold that the re-entries are inside of. */
    @Setup
    public void hold() {
        held.lock();
    }

    /** Ends the client. */
    @TearDown
    public void close() {
        held.unlock();
        client.close();
    }

    /** The measure of all: a lock of the JVM. */
    @Benchmark
    public boolean reentrantLock() {
        local.lock();
        try {
            return true;
        } finally {
            local.unlock();
        }
    }

    /** Lock and unlock, nobody else there. */
    @Benchmark
    public boolean freeLock() {
        free.lock();
        try {
            return true;
        } finally {
            free.unlock();
        }
    }

    /** Lock and unlock inside of a hold. */
    @Benchmark
    public boolean reentry() {
        held.lock();
        try {
            return true;
        } finally {
            held.unlock();
        }
    }

    /** The cheap check. */
    @Benchmark
    public boolean isValid() {
        return lease.isValid();
    }
}
