package dev.interlock.etcd;

import dev.interlock.spi.Claim;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A claim of this client: its key, whether it waits or holds, and until when. The event loop guards every field. */
final class LocalClaim {

    /**
     * What is known of the key.
     *
     * <pre>
     *   ENTERING ---> WAITING <---> READY ---> HELD ---> LOST
     *       |            '---------------------^
     *       '----------------------------------'
     *   any state ---> ENDED
     * </pre>
     *
     * <p>A claim that is ready waits again if a latch was set anew before it asked, or if it reads the answer to an
     * earlier look after that to a later one. Its watch begins at the revision of that look, so it misses nothing.
     */
    enum State {
        /** The key is being made, or may have been. */
        ENTERING,
        /** The key stands behind others. */
        WAITING,
        /** Nothing is in its way any more, and the client has been woken. */
        READY,
        /** The claim was granted. */
        HELD,
        /** The claim was granted, and its session has ended. */
        LOST,
        /** The key is to be deleted, or is gone. */
        ENDED;

        private boolean mayBecome(State next) {
            return switch (next) {
                case ENTERING -> false;
                case WAITING -> this == ENTERING || this == WAITING || this == READY;
                case READY -> this == WAITING;
                case HELD -> this != LOST && this != ENDED;
                case LOST -> this == HELD;
                case ENDED -> true;
            };
        }
    }

    final Session session;

    /** What the keys of its name begin with. */
    final String prefix;

    /** The number of the key among those of its name and its session. */
    final int number;

    /** The prefix, the lease of the session and the number, both in hexadecimal digits. */
    final String key;

    /** As the key shows it, but with the lease that it has now. */
    Claim claim;

    /** The revision that created the key; 0 while it is not known. */
    long revision;

    /** The revision that wrote the key last, as far as this client knows. */
    long written;

    /** How many requests to create the key have no answer, and never may. */
    int unanswered;

    /** How many requests to delete the key have no answer, and never may. */
    int deleting;

    /** Whether a mark keeps this key from being made. */
    boolean marked;

    /** The time of day at which it was made, for people. */
    final long sinceMillis = System.currentTimeMillis();

    private State state = State.ENTERING;
    private final long sinceNanos = System.nanoTime();
    private long endNanos;
    private @Nullable Watch watch;
    private Future<?> timer = CompletableFuture.completedFuture(null);

    LocalClaim(Claim claim, Session session, String prefix) {
        this.claim = claim;
        this.session = session;
        this.prefix = prefix;
        this.number = session.takeNumber(prefix);
        this.key = prefix + Long.toHexString(session.lease()) + '-' + Integer.toHexString(number);
    }

    State state() {
        return state;
    }

    /** Whether its key exists, or is being made. */
    boolean isAlive() {
        return state != State.LOST && state != State.ENDED;
    }

    boolean isHeld() {
        return state == State.HELD;
    }

    /** Moves to another state, in which it waits for no obstacle and no moment yet. */
    void move(State to) {
        if (!state.mayBecome(to)) {
            throw new IllegalStateException("A claim cannot go from " + state + " to " + to + ": key=" + key);
        }
        state = to;
        if (to != State.WAITING) {
            watch(null);
        }
        timer.cancel(false);
    }

    /** Waits for this obstacle; null for none. */
    void watch(@Nullable Watch next) {
        if (watch != null) {
            watch.end();
        }
        watch = next;
    }

    boolean isWatching(Queue.Obstacle obstacle) {
        return watch != null && watch.isFor(obstacle);
    }

    /**
     * A request has deleted its key. If no other request can make or delete that any more, the next claim may use it.
     */
    void deleted() {
        if (unanswered == 0 && deleting == 0 && !marked) {
            session.giveBack(prefix, number);
        }
    }

    /** It ends after this time, unless it moves before; the timer ends it. */
    void endAfter(Duration time, Future<?> newTimer) {
        timer.cancel(false);
        timer = newTimer;
        endNanos = System.nanoTime() + time.toNanos();
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - sinceNanos);
    }

    Duration left() {
        return Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
    }
}
