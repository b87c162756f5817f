package dev.interlock.support;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Tether;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The life of one claim of this client in a store whose server knows only sessions (of ZooKeeper, or leases of etcd):
 * whether it waits or holds, until when, and what becomes of it when its session ends. A subclass adds what the claim
 * has in the store, and which requests change that.
 *
 * <pre>
 *   ENTERING -> ENTERING  a node is created again
 *            -> WAITING   busy: others are in its way
 *            -> READY     a latch opens before the node exists
 *            -> HELD      granted
 *            -> ENDED
 *   WAITING  -> ENTERING  it queues anew
 *            -> READY     nobody is in its way any more
 *            -> HELD      granted: it asked again, and nobody is in its way
 *            -> ENDED
 *   READY    -> ENTERING  it queues anew
 *            -> WAITING   somebody is in its way again
 *            -> HELD      granted: it asked again
 *            -> ENDED
 *   HELD     -> ENTERING  what it held has gone, and it asks again
 *            -> LOST      its session has ended, or is in doubt
 *            -> ENDED
 *   LOST     -> ENTERING  it queues anew
 *            -> ENDED     it has been remembered long enough
 *   ENDED    -> ENTERING  it queues anew
 * </pre>
 *
 * <p>{@link #move} is the only method that changes the state. The guards of the events:
 *
 * <ul>
 *   <li><i>Granted, busy:</i> an answer to a claim that has ended since it was asked for undoes itself, and fails.
 *   <li><i>Busy, or its turn comes:</i> its place is kept for {@link #PLACE}, unless it asks again.
 *   <li><i>Granted:</i> it is held for its lease, and bound to the tether that its session has now; a later tether of
 *       the same session does not save it.
 *   <li><i>Renewed:</i> only a held claim that is still there gets its lease anew.
 *   <li><i>Its time is over:</i> {@link SessionClaims} has it ended. A claim that enters has no end yet.
 *   <li><i>Its session ends:</i> if it is held, it is lost, remembered for a while to name the cause, and woken. If it
 *       waits or is ready, it has ended, and is woken to queue again. If it enters, it has ended.
 * </ul>
 *
 * <p>The server knows nothing of leases, so this client ends them itself. If it cannot, the session does.
 *
 * <p><b>Guards.</b> The event loop guards every field. There is no lock, and so no order of locks; only the
 * {@link Tether} is read by other threads, and moves by itself.
 */
// The annotation of null is optional for callers: see the module.
@SuppressWarnings("exports")
public abstract class SessionClaim {

    /** How long a waiting claim keeps its place without asking again: a place that nobody uses keeps others waiting. */
    public static final Duration PLACE = Duration.ofSeconds(5);

    /** The longest time between two requests of a waiting claim. */
    public static final Duration ASK_AGAIN = PLACE.dividedBy(4);

    /** When a claim that was refused, and of which nothing is kept, may ask again. */
    public static final Duration RETRY = Duration.ofMillis(100);

    /** How long a lost claim is remembered. */
    static final Duration MEMORY = Duration.ofMinutes(1);

    /** The states of a claim. */
    public enum State {
        /** The store has nothing of it yet, or a request to enter is under way or has an unknown outcome. */
        ENTERING,
        /** It stands in the queue, and others are in its way. */
        WAITING,
        /** Nobody is in its way any more. The engine has been woken, and takes the grant when it asks again. */
        READY,
        /** It is granted. */
        HELD,
        /** It was granted, and its session ended first. */
        LOST,
        /** It is released, expired, refused or given up. Its deletion may be under way. */
        ENDED;

        private static final Map<State, Set<State>> MOVES = new EnumMap<>(Map.of(
                ENTERING, EnumSet.of(ENTERING, WAITING, READY, HELD, ENDED),
                WAITING, EnumSet.of(ENTERING, READY, HELD, ENDED),
                READY, EnumSet.of(ENTERING, WAITING, HELD, ENDED),
                HELD, EnumSet.of(ENTERING, LOST, ENDED),
                LOST, EnumSet.of(ENTERING, ENDED),
                ENDED, EnumSet.of(ENTERING)));

        /** The legal moves from this state. */
        Set<State> next() {
            return MOVES.getOrDefault(this, Set.of());
        }

        /** Whether the store has confirmed that it keeps the claim for its session. */
        public boolean isStored() {
            return this == WAITING || this == READY || this == HELD;
        }
    }

    /** What a claim uses of the claims of its client: {@link SessionClaims}. */
    public interface Books {

        /** Whether the caller runs on the event loop. */
        boolean isCurrent();

        /** The time of {@link System#nanoTime}. */
        long nanoTime();

        /** Sees to it that a claim whose time ends then is ended. */
        void sweepAt(long nanos);

        /** Removes the claim, unless another one has taken its place. */
        void remove(SessionClaim claim);

        /** Passes a wake on to the engine. */
        void wake(Wake wake);
    }

    /** The claim as it was asked for last, but with the lease that it has now. */
    protected Claim claim;

    private final Books books;
    private final OwnerId owner;
    private final String where;
    private State state = State.ENTERING;
    private Tether tether = Tether.NONE;

    /** When the lease, the place or the memory ends, by {@link Books#nanoTime}; unset while it enters. */
    private long endNanos;

    /**
     * A claim that enters.
     *
     * @param where what it has in the store, for messages: {@code node=/orders}
     */
    protected SessionClaim(Books books, Claim claim, String where) {
        this.books = books;
        this.claim = claim;
        this.owner = claim.owner();
        this.where = where;
    }

    // ---- for a subclass to implement

    /** The claim has just moved to this state. By default nothing follows. */
    protected void moved(State to) {}

    /**
     * The claim is lost, or has ended, and no request of its own deletes what it may have in the store: deletes that as
     * soon as possible, unless it is certain to go.
     */
    protected abstract void deleteLater();

    /** The failure of a request whose answer came after the end of the claim. */
    protected abstract Exception endedMeanwhile();

    // ---- what is known

    /** The claim as it was asked for last, but with the lease that it has now. */
    public final Claim claim() {
        return claim;
    }

    /** The state. */
    public final State state() {
        return state;
    }

    /** Whether it is granted. */
    public final boolean isHeld() {
        return state == State.HELD;
    }

    /** Whether others are in its way. */
    public final boolean isWaiting() {
        return state == State.WAITING;
    }

    /** Whether it is neither lost nor ended. */
    public final boolean isAlive() {
        return state != State.LOST && state != State.ENDED;
    }

    /** Whether it is held, but nothing proves any more that its session lives. */
    public final boolean isUnproved() {
        return isHeld() && tether.leftNanos() <= 0;
    }

    /** Whether its lease, place or memory is over. */
    public final boolean isOver() {
        return isTimed() && books.nanoTime() - endNanos >= 0;
    }

    /** Whether its time has an end: not while it enters, and not once it has ended. */
    final boolean isTimed() {
        return state != State.ENTERING && state != State.ENDED;
    }

    /** When its lease, place or memory ends, by {@link Books#nanoTime}. */
    final long endNanos() {
        return endNanos;
    }

    /** The rest of its lease, place or memory; not negative. */
    public final Duration left() {
        return Duration.ofNanos(Math.max(0, endNanos - books.nanoTime()));
    }

    // ---- events

    /** It asks for its node, or does so again. */
    protected final void enter() {
        move(State.ENTERING, "it enters the queue");
    }

    /** It waits, and its place is kept from now on. */
    public final CompletableFuture<Attempt> waitInQueue() {
        if (state == State.ENDED) {
            return undo();
        }
        if (state != State.WAITING) {
            move(State.WAITING, "others are in its way");
        }
        return CompletableFuture.completedFuture(keepPlace());
    }

    /** Keeps its place from now on, in the state that it is in. */
    protected final Attempt keepPlace() {
        endAfter(PLACE);
        return Attempt.busy(ASK_AGAIN);
    }

    /** Its turn has come, and its place is kept from now on. Does not wake anybody. */
    public final void ready() {
        move(State.READY, "nobody is in its way");
        endAfter(PLACE);
    }

    /** Holds, for its lease from now on, as long as this tether does. */
    public final CompletableFuture<Attempt> hold(Tether sessionTether, long fence) {
        if (state == State.ENDED) {
            return undo();
        }
        move(State.HELD, "it is granted");
        tether = sessionTether;
        return CompletableFuture.completedFuture(keepHeld(fence));
    }

    /** Is held already, and its lease begins anew. */
    public final Attempt keepHeld(long fence) {
        endAfter(claim.lease());
        return Attempt.granted(fence, tether);
    }

    /** The claim ended while a request was under way, whose answer came all the same. */
    private CompletableFuture<Attempt> undo() {
        deleteLater();
        return CompletableFuture.failedFuture(endedMeanwhile());
    }

    /**
     * The store has answered a renewal. Returns its outcome; null if the claim is not held, or what it held has gone:
     * then it has ended, and the store may know why.
     *
     * @param there whether what it holds is there
     */
    public final @Nullable Renewal renewed(boolean there, Duration lease) {
        if (state == State.LOST) {
            return Renewal.SESSION_LOST;
        } else if (isHeld() && there) {
            claim = claim.withLease(lease);
            endAfter(lease);
            return Renewal.HELD;
        } else if (isHeld()) {
            forget("what it held has gone");
        }
        return null;
    }

    /** Its session has ended, as far as this client is concerned. */
    public final void sessionEnded() {
        if (isHeld()) {
            lose("its session has ended");
            return;
        }
        // The session may be over for this client alone, which cannot wait any longer to know.
        deleteLater();
        if (state != State.LOST) {
            boolean waited = state.isStored();
            forget("its session has ended");
            if (waited) {
                // It has to queue again.
                wake();
            }
        }
    }

    /** The held claim is lost, although the store may still have it. */
    public final void lose(String reason) {
        deleteLater();
        move(State.LOST, reason);
        endAfter(MEMORY);
        // The engine learns of it now, and not when the tether would have ended.
        wake();
    }

    /** It has ended. What it has in the store may still have to be deleted. Idempotent. */
    public final void end(String reason) {
        if (state != State.ENDED) {
            move(State.ENDED, reason);
        }
    }

    /** It has ended, and nothing is left to be done for it here. Idempotent. */
    public final void forget(String reason) {
        end(reason);
        books.remove(this);
    }

    /** Wakes the engine: it asks again, or renews. */
    public final void wake() {
        books.wake(new Wake.Changed(claim.id(), owner));
    }

    private void endAfter(Duration time) {
        endNanos = books.nanoTime() + time.toNanos();
        books.sweepAt(endNanos);
    }

    private void move(State to, String reason) {
        assert books.isCurrent() : "A claim may be changed on the event loop only";
        if (!state.next().contains(to)) {
            throw new IllegalStateException("A claim cannot go from " + state + " to " + to + ": " + where + ", owner="
                    + owner.value() + ", reason=" + reason);
        }
        state = to;
        moved(to);
    }
}
