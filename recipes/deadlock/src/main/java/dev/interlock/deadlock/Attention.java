package dev.interlock.deadlock;

import dev.interlock.deadlock.WaitGraph.Circle;
import org.jspecify.annotations.Nullable;

/**
 * When the patrol looks after a wait next, and the circle that it has seen. Not thread-safe: of the patrol's thread.
 */
final class Attention {

    private final Timing timing;
    private long dueNanos;
    private long intervalNanos;
    private @Nullable Circle suspected;

    Attention(Timing timing, long nowNanos) {
        this.timing = timing;
        this.dueNanos = nowNanos + timing.first().toNanos();
        this.intervalNanos = timing.first().toNanos();
    }

    long dueNanos() {
        return dueNanos;
    }

    /** Nothing was found: look again, less often the longer it lasts. */
    void calm(long nowNanos) {
        suspected = null;
        intervalNanos = Math.min(2 * intervalNanos, timing.longest().toNanos());
        dueNanos = nowNanos + intervalNanos;
    }

    /** Whether this circle was there at the last look already. If not, look again soon. */
    boolean isConfirmed(Circle circle, long nowNanos) {
        boolean confirmed = circle.isStill(suspected);
        suspected = circle;
        dueNanos = nowNanos + timing.pause().toNanos();
        return confirmed;
    }
}
