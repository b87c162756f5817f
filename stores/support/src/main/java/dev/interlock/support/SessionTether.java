package dev.interlock.support;

import dev.interlock.spi.Tether;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * How long a session is certain to live, as far as this process can know: a part of its time-out, counted from the
 * moment at which the last request was <em>sent</em> that the server has answered which ends sessions.
 *
 * <p>By default it is half and not all of the time-out, because that server may know only of an earlier sign of life.
 * Applications may choose all of it on ZooKeeper, as Curator's recipes do.
 *
 * <ul>
 *   <li>The leader of ZooKeeper ends a session one time-out after the last sign of life that it knows of, and learns of
 *       those of a follower's clients from that follower, every half tick. A follower that is cut off from the leader
 *       right after it has passed an answer on has not reported yet, so the leader knows of the sign of life before.
 *       Signs of life are a third of a time-out apart at most, and a tick is at most half of one.
 *   <li>A leader of etcd that has just been deposed, and does not know it, answers a sign of life of which its
 *       successor does not learn. The successor gave each lease its whole length when it was elected.
 * </ul>
 *
 * <p>The tether is cut when the client is closed, even by the application whose client it is: that ends the session at
 * once.
 *
 * <pre>
 *   ALIVE -> ALIVE   an answer moves the end
 *         -> OVER    somebody has seen the end pass or the client closed, or the session was cut
 * </pre>
 *
 * <p>Thread-safe, without a lock: the end is one atomic number, and each move compares it with what it has seen.
 */
public final class SessionTether implements Tether {

    private static final long OVER = Long.MIN_VALUE;

    /** The part of the time-out that counts. */
    private final long partNanos;

    /** The same, less the margin. */
    private final long lengthNanos;

    /** The end by {@link System#nanoTime}, less the origin. */
    private final AtomicLong endNanos;

    private final long originNanos;
    private final BooleanSupplier open;

    /**
     * The tether of a session that is alive.
     *
     * @param timeout the time-out of the session
     * @param percent the part of the time-out that counts
     * @param sentNanos when the request was sent that began or last proved it, by {@link System#nanoTime}
     * @param open whether the client is open; any thread may call it
     */
    public SessionTether(Duration timeout, int percent, long sentNanos, BooleanSupplier open) {
        this.partNanos = timeout.toNanos() / 100 * percent;
        // One per cent allows for the drift between the clocks.
        this.lengthNanos = partNanos / 100 * 99;
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
            // This fails if an answer has moved the end first: then the moved end counts.
            if (left > 0 || endNanos.compareAndSet(end, OVER)) {
                return Math.max(0, left);
            }
        }
    }

    @Override
    public long lengthNanos() {
        return partNanos;
    }

    /** The server has answered a request that was sent then. Returns false if the answer comes too late. */
    public boolean move(long sentNanos) {
        while (leftNanos() > 0) {
            long end = endNanos.get();
            long later = Math.max(end, sentNanos - originNanos + lengthNanos);
            if (end != OVER && endNanos.compareAndSet(end, later)) {
                return true;
            }
        }
        return false;
    }

    /** The session has ended. */
    public void cut() {
        endNanos.set(OVER);
    }
}
