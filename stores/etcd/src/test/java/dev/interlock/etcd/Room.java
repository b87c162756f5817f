package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Where only one may be at a time. Whoever meets somebody there fails. */
final class Room {

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicLong largest = new AtomicLong();

    /** Goes in, and out again a moment later, by a token that must be larger than those before; 0 without one. */
    void enter(long token) {
        assertThat(inside.incrementAndGet()).as("inside at the same time").isEqualTo(1);
        if (token != 0) {
            assertThat(token).isGreaterThan(largest.getAndSet(token));
        }
        turns.incrementAndGet();
        // Gives one that comes too early the time to be seen.
        LockSupport.parkNanos(1);
        assertThat(inside.decrementAndGet()).as("inside at the same time").isZero();
    }

    /** How often somebody was inside. */
    int turns() {
        return turns.get();
    }
}
