package dev.interlock.bench;

import dev.interlock.Lease;
import java.util.concurrent.atomic.AtomicInteger;

/** A lease, its deadline, and the time when its loss was reported. */
final class Watched {

    private final Lease lease;
    private final AtomicInteger told = new AtomicInteger();
    private volatile long toldNanos;
    private volatile boolean validWhenTold;
    private volatile long deadlineNanos;

    Watched(Lease lease) {
        this.lease = lease;
        lease.onLost(cause -> {
            toldNanos = System.nanoTime();
            validWhenTold = lease.isValid();
            told.incrementAndGet();
        });
    }

    /** To be called when no renewal can succeed any more. */
    void readDeadline() {
        deadlineNanos = System.nanoTime() + lease.remaining().toNanos();
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    /** Whether it was told once, when the lease had ended. */
    boolean toldOnce() {
        return told.get() == 1 && !validWhenTold;
    }

    /** How long after the deadline it was told, in milliseconds; infinite if it was not. */
    double latenessMillis() {
        return told.get() == 0 ? Double.POSITIVE_INFINITY : (toldNanos - deadlineNanos) / 1e6;
    }
}
