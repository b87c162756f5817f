package dev.interlock.election;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.Candidacy;
import dev.interlock.DistributedLock;
import dev.interlock.LeadershipEnd;
import dev.interlock.LeadershipEnd.Reason;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.ReleaseOutcome;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
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
 *           -> PAUSED    the same, after a task that threw
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

    static final Logger LOG = System.getLogger("dev.interlock");

    /** How long to wait after a failure before it stands again. */
    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    /** How often to look whether the candidate has released the lease itself, of which nobody tells. */
    private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

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

    /** How the last leadership has ended; null before that. */
    @GuardedBy("this")
    private @Nullable LeadershipEnd end;

    /** The lease while {@code LEADING}; written under the monitor. */
    private volatile @Nullable Lease leadership;

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
        awaitLeft(System.nanoTime() + elections.closeTimeout().toNanos());
    }

    @Override
    public synchronized String toString() {
        return "Candidacy[name=" + name + ", state=" + state + "]";
    }

    /** Leaves the election as soon as the candidate has been told. */
    synchronized void leave() {
        leaving = true;
        if (state == CandidacyState.WAITING) {
            thread.interrupt();
        }
        end(leadership, new LeadershipEnd(Reason.LEFT, null));
        notifyAll();
    }

    /**
     * Waits until it has left, or until {@code untilNanos}; not at all on its own thread, which has to return before.
     * Ignores interrupts, and sets the flag again.
     */
    void awaitLeft(long untilNanos) {
        boolean interrupted = false;
        while (thread != Thread.currentThread() && thread.isAlive() && untilNanos - System.nanoTime() > 0) {
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
        while (stands(failed)) {
            Lease lease = null;
            try {
                lease = lock().acquire();
                failed = false;
            } catch (InterruptedException e) {
                // It is to leave; or somebody else interrupts, which is none of their business.
            } catch (UnsupportedOperationException e) {
                failed = !inOrder;
                inOrder = false;
            } catch (RuntimeException | Error e) {
                if (!failed) {
                    LOG.log(Level.WARNING, "Election '" + name + "' is not open to this client; trying again", e);
                }
                failed = true;
            }
            if (lease != null) {
                failed = lead(lease);
            }
        }
    }

    /** Stands in the election, after a pause if the last attempt failed; false if it has left. */
    private synchronized boolean stands(boolean afterFailure) {
        if (afterFailure && !leaving) {
            move(CandidacyState.PAUSED);
            long until = System.nanoTime() + PAUSE_NANOS;
            while (!leaving && until - System.nanoTime() > 0) {
                pause(until - System.nanoTime());
            }
        }
        move(leaving ? CandidacyState.LEFT : CandidacyState.WAITING);
        return !leaving;
    }

    private DistributedLock lock() {
        return elections.client().lock(name, inOrder ? options.fair() : options);
    }

    /** Leads, until that is over here and in the store; returns whether it failed. */
    private boolean lead(Lease lease) {
        synchronized (this) {
            // One that came while it was waiting.
            Thread.interrupted();
            if (!leaving && lease.isValid()) {
                move(CandidacyState.LEADING);
                leadership = lease;
            }
        }
        boolean failed = false;
        if (leadership != null) {
            lease.onLost(cause -> end(lease, new LeadershipEnd(Reason.LOST, cause)));
            failed = role.lead(this, lease);
        }
        synchronized (this) {
            // One that came with the end of the leadership.
            Thread.interrupted();
        }
        lease.close();
        return failed;
    }

    /** Waits for the end of this leadership. */
    LeadershipEnd awaitEnd(Lease lease) {
        while (true) {
            synchronized (this) {
                if (leadership == lease && lease.isValid()) {
                    pause(LOOK_NANOS);
                }
                LeadershipEnd how = end;
                if (leadership != lease && how != null) {
                    return how;
                }
            }
            if (!lease.isValid()) {
                // The candidate has released it, or a loss is about to be told. This release only asks which.
                ReleaseOutcome outcome = lease.release();
                Reason reason = outcome.isLost() ? Reason.LOST : Reason.ABDICATED;
                end(lease, new LeadershipEnd(reason, outcome.lossCause()));
            }
        }
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
            throw new IllegalStateException("A candidacy cannot go from " + state + " to " + to + ": election=" + name);
        }
        state = to;
    }
}
