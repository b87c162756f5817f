package dev.interlock.election;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.Candidacy;
import dev.interlock.DistributedLock;
import dev.interlock.LeadershipEnd;
import dev.interlock.LeadershipEnd.Reason;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.spi.Log;
import dev.interlock.spi.Printable;
import dev.interlock.spi.WorkLease;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A candidate: a thread that acquires the lock of its election, leads, and stands again, until it leaves.
 *
 * <pre>
 *   NEW     -> WAITING   joins
 *           -> LEFT      left at once
 *   WAITING -> LEADING   has the lease
 *           -> WAITING   the lease was lost at once, or the store has no fair locks
 *           -> PAUSED    the store was silent, or refused
 *           -> LEFT
 *   LEADING -> ENDING    abdicates, leaves, or has lost the lease
 *   ENDING  -> WAITING   the candidate has been told, and the lease is released
 *           -> PAUSED    the same, after a leadership that failed, or was given up as soon as it began
 *           -> LEFT
 *   PAUSED  -> WAITING   the pause is over
 *           -> LEFT
 * </pre>
 *
 * <p>The order at the end of a leadership is: {@link #isLeader} is false; the candidate is told, or the task returns;
 * the lease is released. So nobody else leads before this one has stopped, unless the lease is lost. One thread does
 * all of it: so calls to the candidate never overlap.
 *
 * <p>Others move a candidacy only from LEADING to ENDING, and only they interrupt its thread: while it waits, to leave,
 * and with that move if a task runs. Both are done under the monitor, so that the thread takes an interrupt back that
 * it finds after its own next move.
 *
 * <p>Thread-safe. The monitor guards the fields. It is held for no call to a lock, a lease or the candidate.
 */
final class LockCandidacy implements Candidacy {

    static final Logger LOG = Log.named("dev.interlock");

    /** How long to wait after the store has failed before it stands again. */
    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private final ClientElections elections;
    private final String name;
    private final LockOptions options;
    private final LeaderRole role;
    private final Thread thread;

    @GuardedBy("this")
    private CandidacyState state = CandidacyState.NEW;

    /** Whether it is to leave the election as soon as it can. */
    @GuardedBy("this")
    private boolean leaving;

    @GuardedBy("this")
    private long leavingSinceNanos;

    /** How the last leadership has ended; null before that. */
    @GuardedBy("this")
    private @Nullable LeadershipEnd end;

    /** The lease while {@code LEADING}; written under the monitor. */
    private volatile @Nullable Lease leadership;

    /** Only the candidacy's thread uses it. */
    private final Pauses pauses = new Pauses();

    /** Whether the store grants locks in the order of arrival, as far as known. Only the candidacy's thread uses it. */
    private boolean inOrder = true;

    LockCandidacy(ClientElections elections, String name, LockOptions options, LeaderRole role) {
        this.elections = elections;
        this.name = name;
        this.options = options;
        this.role = role;
        this.thread = new Thread(this::run, "interlock-election-" + name);
        thread.setDaemon(true);
    }

    /** Calls code of the user, and logs what it throws. */
    static void call(Runnable code) {
        try {
            code.run();
        } catch (Throwable e) {
            LOG.log(Level.WARNING, "A candidate or listener of an election threw; the election is not affected", e);
        }
    }

    // ---- for the user

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isLeader() {
        Lease lease = leadership;
        return lease != null && lease.isValid();
    }

    @Override
    public Optional<Lease> leadership() {
        return Optional.ofNullable(leadership).filter(Lease::isValid);
    }

    @Override
    public boolean abdicate() {
        return end(leadership, new LeadershipEnd(Reason.ABDICATED, null));
    }

    @Override
    public void close() {
        leave();
        awaitLeft();
    }

    @Override
    public synchronized void leave() {
        if (!leaving) {
            leaving = true;
            leavingSinceNanos = System.nanoTime();
        }
        if (state == CandidacyState.WAITING) {
            thread.interrupt();
        }
        end(leadership, new LeadershipEnd(Reason.LEFT, null));
        notifyAll();
    }

    @Override
    public synchronized String toString() {
        return "Candidacy[name=" + Printable.of(name) + ", state=" + state + "]";
    }

    private synchronized long leavingSinceNanos() {
        return leavingSinceNanos;
    }

    /**
     * Waits until it has left, for a bounded time since it began to; not at all on its own thread, which has to return
     * before. Ignores interrupts, and sets the flag again.
     */
    private void awaitLeft() {
        long untilNanos = leavingSinceNanos() + elections.closeTimeout().toNanos();
        boolean interrupted = false;
        while (!hasLeft() && untilNanos - System.nanoTime() > 0) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, untilNanos - System.nanoTime());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether its thread has ended, or is the calling one. */
    boolean hasLeft() {
        return thread == Thread.currentThread() || !thread.isAlive();
    }

    // ---- its thread

    void start() {
        try {
            thread.start();
        } catch (Throwable e) {
            elections.remove(this);
            throw e;
        }
    }

    private void run() {
        try {
            standUntilLeft();
        } finally {
            elections.remove(this);
        }
    }

    private void standUntilLeft() {
        boolean failed = false;
        long pauseNanos = 0;
        while (stands(pauseNanos)) {
            Lease lease = null;
            pauseNanos = 0;
            try {
                lease = lock().acquire();
                failed = false;
            } catch (InterruptedException e) {
                // It is to leave; or somebody else interrupts, which is none of their business.
            } catch (UnsupportedOperationException e) {
                pauseNanos = inOrder ? 0 : PAUSE_NANOS;
                inOrder = false;
            } catch (RuntimeException | Error e) {
                if (!failed && !isLeaving()) {
                    LOG.log(
                            Level.WARNING,
                            "Election '" + Printable.of(name) + "' is not open to this client; trying again",
                            e);
                }
                failed = true;
                pauseNanos = PAUSE_NANOS;
            }
            if (lease instanceof WorkLease granted) {
                pauseNanos = lead(granted);
            }
        }
    }

    private synchronized boolean isLeaving() {
        return leaving;
    }

    /** Stands in the election, after a pause; false if it has left. */
    private synchronized boolean stands(long pauseNanos) {
        if (pauseNanos > 0 && !leaving) {
            move(CandidacyState.PAUSED);
            long until = System.nanoTime() + pauseNanos;
            while (!leaving && until - System.nanoTime() > 0) {
                pause(until - System.nanoTime());
            }
        }
        move(leaving ? CandidacyState.LEFT : CandidacyState.WAITING);
        return !leaving;
    }

    private DistributedLock lock() {
        LockOptions chosen = options.toBuilder().fair(inOrder).build();
        return elections.client().lock(name, chosen);
    }

    /**
     * Leads, until that is over here and in the store; returns how long to pause then. While it leads, a client that
     * closes does not release the lease.
     */
    private long lead(WorkLease lease) {
        long begunNanos = System.nanoTime();
        Throwable failure = null;
        boolean led;
        // Told by whatever ends the lease, and not by way of the callback executor, which may be busy.
        WorkLease.Work work = lease.begin(WorkLease.Place.THIS_THREAD, cause -> end(lease, endBy(cause)));
        try {
            synchronized (this) {
                // One that came while it was waiting.
                Thread.interrupted();
                led = work != null && !leaving && lease.isValid();
                if (led) {
                    move(CandidacyState.LEADING);
                    leadership = lease;
                }
            }
            if (led) {
                failure = role.lead(this, lease);
            }
            synchronized (this) {
                // One that came with the end of the leadership.
                Thread.interrupted();
            }
            lease.close();
        } finally {
            if (work != null) {
                work.close();
            }
        }
        return led ? pauseAfter(failure, System.nanoTime() - begunNanos) : 0;
    }

    /** How a leadership ends with its lease: lost for this cause, or released by the candidate itself. */
    private static LeadershipEnd endBy(@Nullable LossCause cause) {
        return new LeadershipEnd(cause == null ? Reason.ABDICATED : Reason.LOST, cause);
    }

    /** How long to pause after a leadership of this length, which may have failed. */
    private long pauseAfter(@Nullable Throwable failure, long ledNanos) {
        long pauseNanos = 0;
        if (failure != null) {
            pauseNanos = pauses.afterFailure(ledNanos);
        } else if (hasGivenUp()) {
            pauseNanos = pauses.afterGivingUp(ledNanos);
        } else {
            pauses.startAfresh();
        }
        if (pauses.warns()) {
            LOG.log(
                    Level.WARNING,
                    failure == null
                            ? "This client gives up election '" + Printable.of(name)
                                    + "' each time as soon as it leads: it pauses before it stands again, for longer"
                                    + " each time; lead for as long as there is work, or leave the election"
                            : role + " of election '" + Printable.of(name)
                                    + "' threw: it gives way, and stands again after a pause, for longer each time",
                    failure);
        }
        return pauseNanos;
    }

    private synchronized boolean hasGivenUp() {
        LeadershipEnd how = end;
        return how != null && how.reason() == Reason.ABDICATED;
    }

    /** Waits for the end of this leadership. */
    synchronized LeadershipEnd awaitEnd(Lease lease) {
        while (leadership == lease) {
            pause(Long.MAX_VALUE);
        }
        return Objects.requireNonNull(end, "end");
    }

    /**
     * Ends this leadership, unless it has ended; returns whether this client led by it. Wins the race of all causes.
     */
    private synchronized boolean end(@Nullable Lease lease, LeadershipEnd how) {
        if (lease == null || leadership != lease) {
            return false;
        }
        move(CandidacyState.ENDING);
        leadership = null;
        end = how;
        if (role.isInterrupted()) {
            thread.interrupt();
        }
        notifyAll();
        return true;
    }

    @GuardedBy("this")
    private void pause(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, nanos));
        } catch (InterruptedException e) {
            // Nobody has to.
        }
    }

    @GuardedBy("this")
    private void move(CandidacyState to) {
        if (!state.next().contains(to)) {
            throw new IllegalStateException(
                    "A candidacy cannot go from " + state + " to " + to + ": election=" + Printable.of(name));
        }
        state = to;
    }
}
