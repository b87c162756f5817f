package dev.interlock.deadlock;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.Lease;
import dev.interlock.LeaseOrigin;
import dev.interlock.LockObserver;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition of the client, from the call to the end of its lease. Thread-safe: the monitor guards its wait.
 *
 * <p>Those who cannot be in a circle are not followed: a caller by a future without a participant, since nobody waits
 * with it; and one who holds nothing and wants a plain lock, for which nobody waits.
 */
final class Tracked implements LockObserver.Acquisition {

    /** Who of this client holds and waits. Thread-safe. */
    interface Book {

        /** A larger one each time. */
        long nextNumber();

        void waiting(Tracked caller);

        void waited(Tracked caller);

        void acquired(Tracked lease);

        void ended(Tracked lease);

        /** What the calling thread holds by {@code lock()}. */
        List<Hold> heldByThisThread();

        /** What the participant holds now. */
        List<Hold> heldBy(String participant);
    }

    private final Book ledger;
    private final Runnable wake;
    private final LockId id;
    private final Mode mode;
    private final String participant;
    private final long number;
    private final String threadName = Thread.currentThread().getName();
    private final long threadId = Thread.currentThread().getId();

    /** Set when the lease is there; before that nobody looks for it. */
    private volatile long token;

    /** Whether the wait has ended. */
    @GuardedBy("this")
    private boolean over;

    /** Ends the wait; null until the caller waits. */
    @GuardedBy("this")
    private @Nullable Predicate<RuntimeException> end;

    @GuardedBy("this")
    private long linedUp;

    /** What the waiting thread holds. */
    @GuardedBy("this")
    private List<Hold> heldByThread = List.of();

    /** The wait as others can read it, and its record; null and empty as long as there is none. */
    @GuardedBy("this")
    private @Nullable Wait published;

    @GuardedBy("this")
    private List<Lease> pieces = List.of();

    /** When to look after it, and what was seen last: of the patrol's thread alone. */
    private final Attention attention;

    /** @param wake called when the caller waits */
    Tracked(Book ledger, Runnable wake, Attention attention, LockId id, Mode mode, String participant) {
        this.ledger = ledger;
        this.wake = wake;
        this.attention = attention;
        this.id = id;
        this.mode = mode;
        this.participant = participant;
        this.number = ledger.nextNumber();
    }

    LockId id() {
        return id;
    }

    String participant() {
        return participant;
    }

    long threadId() {
        return threadId;
    }

    long token() {
        return token;
    }

    boolean isShared() {
        return mode instanceof Mode.Shared;
    }

    Attention attention() {
        return attention;
    }

    /** Its lease, as others see it. */
    Hold hold() {
        return new Hold(id, WaitGraph.fenceOf(token), isShared());
    }

    // ---- what the client reports

    @Override
    public void waiting(boolean blocked, Predicate<RuntimeException> ending) {
        if (!blocked && participant.isEmpty()) {
            return;
        }
        List<Hold> held = blocked ? ledger.heldByThisThread() : List.of();
        if (held.isEmpty() && participant.isEmpty() && !WaitGraph.hasOrderAmongFitting(id.kind())) {
            return;
        }
        synchronized (this) {
            if (over) {
                return;
            }
            heldByThread = held;
            linedUp = ledger.nextNumber();
            end = ending;
            ledger.waiting(this);
        }
        wake.run();
    }

    @Override
    public void acquired(long newToken, LeaseOrigin origin, Duration waited) {
        token = newToken;
        ledger.acquired(this);
        finishWaiting();
    }

    @Override
    public void gaveUp(@Nullable Throwable failure, Duration waited) {
        finishWaiting();
    }

    @Override
    public void ended(ReleaseOutcome outcome, Duration held) {
        ledger.ended(this);
    }

    /** The record is erased before the caller goes on: it may release what it holds, and that is to come later. */
    private void finishWaiting() {
        List<Lease> record;
        synchronized (this) {
            over = true;
            end = null;
            record = pieces;
            pieces = List.of();
            published = null;
        }
        ledger.waited(this);
        Records.erase(record);
    }

    // ---- what the patrol does

    /** The wait as it is now; without its order. */
    Wait describe(String client) {
        Set<Hold> held = new LinkedHashSet<>(ledger.heldBy(participant));
        long by;
        synchronized (this) {
            held.addAll(heldByThread);
            by = linedUp;
        }
        String who = participant.isEmpty() ? threadName : participant;
        return new Wait(client, number, id, mode, number, by, 0, who, new ArrayList<>(held));
    }

    /** The record is written; returns false if it is too late, and the record is to be erased. */
    synchronized boolean publish(Wait wait, List<Lease> record) {
        if (over) {
            return false;
        }
        published = wait;
        pieces = record;
        return true;
    }

    /** Takes back what others cannot read any more, to be erased and written again. */
    synchronized List<Lease> withdrawIfLost() {
        if (pieces.stream().allMatch(Lease::isValid)) {
            return List.of();
        }
        List<Lease> record = pieces;
        pieces = List.of();
        published = null;
        return record;
    }

    /** As others can read it; null if they cannot, or if the wait is over. */
    @Nullable
    synchronized Wait published() {
        return published;
    }

    /** Ends the wait; returns false if it has ended before. */
    boolean end(DeadlockException reason) {
        Predicate<RuntimeException> ending;
        synchronized (this) {
            ending = end;
        }
        return ending != null && ending.test(reason);
    }

    /** Whether a request of this kind and mode can take part in a deadlock. */
    static boolean isOfInterest(LockKind kind, Mode mode) {
        return switch (kind) {
            case LOCK -> mode instanceof Mode.Exclusive;
            case READ_WRITE -> mode instanceof Mode.Exclusive || mode instanceof Mode.Shared;
            case SEMAPHORE -> mode instanceof Mode.Permits;
            default -> false;
        };
    }
}
