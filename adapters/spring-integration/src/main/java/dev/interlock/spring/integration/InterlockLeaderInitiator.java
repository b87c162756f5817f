package dev.interlock.spring.integration;

import dev.interlock.Candidacy;
import dev.interlock.LeaderElection;
import dev.interlock.LeadershipEnd;
import dev.interlock.Lease;
import dev.interlock.spi.Printable;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;
import org.springframework.context.SmartLifecycle;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.leader.event.LeaderEventPublisher;

/**
 * A candidate of Spring Integration that stands in an election of an Interlock client, on both lines of Spring
 * Integration: endpoints with its role are started and stopped by the events that it publishes.
 *
 * <p>Unlike {@code LockRegistryLeaderInitiator}, it polls nothing and has no heartbeat: it waits in the queue of the
 * election. {@link Context#isLeader()} is false by the end of the lease, also while the store cannot be reached.
 * {@link Context#yield()} lets the next candidate lead. The context that the candidate and the events get is that of
 * one leadership: whoever uses it late, such as a listener that is called asynchronously, does not touch the next. If
 * the leadership is given up, nobody else leads before {@link Candidate#onRevoked} and the listeners of the event have
 * returned.
 *
 * <p>If {@link Candidate#onGranted} or a listener of its event throws, this process does no leader's work: it is told
 * the end, gives way, and tries again after a pause.
 *
 * <p>Thread-safe, once it is configured.
 */
public final class InterlockLeaderInitiator
        implements SmartLifecycle, DisposableBean, ApplicationEventPublisherAware, dev.interlock.Candidate {

    /** That of {@code LockRegistryLeaderInitiator}. */
    private static final int DEFAULT_PHASE = Integer.MAX_VALUE - 1000;

    private static final long FIRST_PAUSE_NANOS = 10_000_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

    private final LeaderElection election;
    private final Candidate candidate;
    private final Context context = new ElectionContext();
    private LeaderEventPublisher events = new DefaultLeaderEventPublisher();
    private boolean eventsGiven;
    private boolean autoStartup = true;
    private int phase = DEFAULT_PHASE;
    private volatile boolean started;

    /** Written under the monitor. */
    private volatile @Nullable Candidacy candidacy;

    /** Only the candidacy's thread uses it; the next candidacy begins when that thread has ended. */
    private @Nullable LeadershipContext present;

    /** Whether it has left an election and not joined again. Guarded by the monitor. */
    private boolean left;

    /**
     * Stands in no election yet.
     *
     * @param election the election, of a client that remains the caller's to close
     * @param candidate is told when this process is granted the leadership, and when it is revoked; has the role of the
     *     events
     */
    public InterlockLeaderInitiator(LeaderElection election, Candidate candidate) {
        this.election = election;
        this.candidate = candidate;
    }

    /**
     * Sets who publishes the events. By default they go to the application context.
     *
     * @param publisher the publisher
     */
    public void setLeaderEventPublisher(LeaderEventPublisher publisher) {
        events = publisher;
        eventsGiven = true;
    }

    @Override
    public void setApplicationEventPublisher(ApplicationEventPublisher publisher) {
        if (!eventsGiven) {
            events = new DefaultLeaderEventPublisher(publisher);
        }
    }

    /**
     * Sets whether it starts with the application context. True by default.
     *
     * @param starts whether it does
     */
    public void setAutoStartup(boolean starts) {
        autoStartup = starts;
    }

    /**
     * Sets the phase in which it starts and stops; by default that of Spring's own initiators.
     *
     * @param newPhase the phase
     */
    public void setPhase(int newPhase) {
        phase = newPhase;
    }

    /** {@return whether this process leads, and a way to give that up} */
    public Context getContext() {
        return context;
    }

    @Override
    public synchronized void start() {
        if (!started) {
            started = true;
            if (!join()) {
                inBackground(this::rejoin);
            }
        }
    }

    /** Returns false if that cannot be yet: the candidate has not been told of the end before the last stop. */
    private synchronized boolean join() {
        if (!started || candidacy != null) {
            return true;
        }
        try {
            candidacy = election.join((dev.interlock.Candidate) this);
        } catch (IllegalStateException e) {
            if (left) {
                return false;
            }
            started = false;
            throw e;
        }
        left = false;
        return true;
    }

    /** Nobody tells when the candidate has been told: asks less and less often. */
    private void rejoin() {
        long pauseNanos = FIRST_PAUSE_NANOS;
        while (!join()) {
            LockSupport.parkNanos(pauseNanos);
            pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
        }
    }

    /** Leaves the election; waits until the candidate has been told, for the client's {@code closeTimeout} at most. */
    @Override
    public void stop() {
        Candidacy former;
        synchronized (this) {
            started = false;
            former = candidacy;
            candidacy = null;
            left |= former != null;
        }
        if (former != null) {
            former.close();
        }
    }

    /** Leaves on a thread of its own, so that those of one phase take no longer than the one that takes longest. */
    @Override
    public void stop(Runnable callback) {
        inBackground(() -> {
            try {
                stop();
            } finally {
                callback.run();
            }
        });
    }

    private static void inBackground(Runnable work) {
        Thread thread = new Thread(work, "interlock-leader-initiator");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void destroy() {
        stop();
    }

    @Override
    public boolean isRunning() {
        return started;
    }

    @Override
    public boolean isAutoStartup() {
        return autoStartup;
    }

    @Override
    public int getPhase() {
        return phase;
    }

    /** The candidacy. The election may elect this before {@link #start} knows it: whoever asks then waits for that. */
    private synchronized @Nullable Candidacy candidacy() {
        return candidacy;
    }

    // ---- told by the election

    @Override
    public void elected(Lease leadership) {
        LeadershipContext granted = new LeadershipContext();
        present = granted;
        try {
            candidate.onGranted(granted);
        } catch (InterruptedException e) {
            granted.yield();
            return;
        }
        events.publishOnGranted(this, granted, candidate.getRole());
    }

    @Override
    public void ended(Lease leadership, LeadershipEnd end) {
        LeadershipContext revoked = Objects.requireNonNull(present, "present");
        revoked.end();
        try {
            candidate.onRevoked(revoked);
        } finally {
            events.publishOnRevoked(this, revoked, candidate.getRole());
        }
    }

    @Override
    public String toString() {
        return "InterlockLeaderInitiator[election=" + Printable.of(election.name()) + ", role=" + candidate.getRole()
                + "]";
    }

    /** Of whichever leadership there is. */
    private final class ElectionContext implements Context {
        @Override
        public boolean isLeader() {
            Candidacy present = candidacy();
            return present != null && present.isLeader();
        }

        @Override
        public void yield() {
            Candidacy present = candidacy();
            if (present != null) {
                present.abdicate();
            }
        }

        @Override
        public String getRole() {
            return candidate.getRole();
        }

        @Override
        public String toString() {
            return "Context[election=" + Printable.of(election.name()) + ", leader=" + isLeader() + "]";
        }
    }

    /**
     * Of one leadership. The next one begins after {@link #end} has returned, so what is done under the monitor before
     * that cannot be done to it.
     */
    private final class LeadershipContext implements Context {

        /** The monitor guards it. */
        private boolean over;

        synchronized void end() {
            over = true;
        }

        @Override
        public synchronized boolean isLeader() {
            return !over && context.isLeader();
        }

        @Override
        public synchronized void yield() {
            if (!over) {
                context.yield();
            }
        }

        @Override
        public String getRole() {
            return candidate.getRole();
        }

        @Override
        public String toString() {
            return "Context[election=" + Printable.of(election.name()) + ", leader=" + isLeader() + "]";
        }
    }
}
