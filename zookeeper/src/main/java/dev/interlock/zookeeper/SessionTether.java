package dev.interlock.zookeeper;

import dev.interlock.spi.Tether;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * For how long a session lives for certain, as far as this process can know: half of its negotiated time-out, counted
 * from when the last request was <em>sent</em> that the leader has answered.
 *
 * <p>Why not all of it: the leader ends a session one time-out after it heard of it, and hears of the clients of a
 * follower from that follower, every half tick. A follower that was cut off from the leader right after it passed the
 * answer on has not reported yet, and what the leader knows is the sign of life before. Those are a third of a time-out
 * apart at most, and a tick is at most half of one.
 *
 * <p>It is cut when the client is closed, be it by the application whose client it is: that ends the session at once.
 */
final class SessionTether implements Tether {

    private static final long OVER = Long.MIN_VALUE;

    private final long lengthNanos;

    /** By {@link System#nanoTime}, less the origin. */
    private final AtomicLong endNanos;

    private final long originNanos;
    private final BooleanSupplier open;

    /** @param open whether the client has not been closed; asked by any thread */
    SessionTether(Duration timeout, long sentNanos, BooleanSupplier open) {
        // One per cent for the drift of two clocks.
        this.lengthNanos = timeout.toNanos() * 99 / 200;
        this.originNanos = sentNanos;
        this.open = open;
        this.endNanos = new AtomicLong(lengthNanos);
    }

    @Override
    public long leftNanos() {
        while (true) {
            long end = endNanos.get();
            if (end == OVER) {
                return 0;
            }
            long left = open.getAsBoolean() ? end - (System.nanoTime() - originNanos) : 0;
            // Fails if an answer won the race: then its moment counts.
            if (left > 0 || endNanos.compareAndSet(end, OVER)) {
                return Math.max(0, left);
            }
        }
    }

    /** The leader has answered what was sent then; false if that comes too late. */
    boolean moved(long sentNanos) {
        while (leftNanos() > 0) {
            long end = endNanos.get();
            long moved = Math.max(end, sentNanos - originNanos + lengthNanos);
            if (end != OVER && endNanos.compareAndSet(end, moved)) {
                return true;
            }
        }
        return false;
    }

    /** The session has ended. */
    void cut() {
        endNanos.set(OVER);
    }
}
