package dev.interlock.election;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.LeaderElection;
import dev.interlock.LockOptions;
import dev.interlock.spi.ElectionProvider;
import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The elections in which a client takes part: its candidacies, one for each name, and its observations. Thread-safe.
 */
final class ClientElections implements ElectionProvider.Elections {

    private final View view;
    private final ElectionProvider.Locks client;
    private final Duration pollCap;
    private final Duration closeTimeout;

    @GuardedBy("this")
    private final Map<String, LockCandidacy> candidacies = new HashMap<>();

    @GuardedBy("this")
    private final Set<LeaderElection.Observation> observations = new HashSet<>();

    @GuardedBy("this")
    private boolean closed;

    /** Those that the client's close ends. */
    @GuardedBy("this")
    private List<LockCandidacy> leaving = List.of();

    /** Makes an election, as users see it: it knows this class. */
    @FunctionalInterface
    interface View {
        LeaderElection of(ClientElections elections, String name, LockOptions options);
    }

    ClientElections(View view, ElectionProvider.Locks client, Duration pollCap, Duration closeTimeout) {
        this.view = view;
        this.client = client;
        this.pollCap = pollCap;
        this.closeTimeout = closeTimeout;
    }

    ElectionProvider.Locks client() {
        return client;
    }

    Duration pollCap() {
        return pollCap;
    }

    Duration closeTimeout() {
        return closeTimeout;
    }

    @Override
    public LeaderElection election(String name, LockOptions options) {
        return view.of(this, name, options);
    }

    /**
     * A candidacy begins.
     *
     * @throws IllegalStateException if there is one of this name, or the client is closed
     */
    synchronized void add(LockCandidacy candidacy) {
        ensureOpen(candidacy.name());
        if (candidacies.putIfAbsent(candidacy.name(), candidacy) != null) {
            throw new IllegalStateException("This client stands in election '" + Printable.of(candidacy.name())
                    + "' already; close that candidacy before, or join with another client");
        }
    }

    /** A candidacy has left. */
    synchronized void remove(LockCandidacy candidacy) {
        candidacies.remove(candidacy.name(), candidacy);
    }

    /** An observation begins. */
    synchronized void add(String name, LeaderElection.Observation observation) {
        ensureOpen(name);
        observations.add(observation);
    }

    synchronized void remove(LeaderElection.Observation observation) {
        observations.remove(observation);
    }

    @GuardedBy("this")
    private void ensureOpen(String name) {
        if (closed) {
            throw new IllegalStateException("The client is closed: election '" + Printable.of(name)
                    + "' cannot be joined or observed; create a new client");
        }
    }

    @Override
    public void leave() {
        List<LockCandidacy> standing;
        List<LeaderElection.Observation> watching;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            standing = List.copyOf(candidacies.values());
            watching = List.copyOf(observations);
            leaving = standing;
        }
        watching.forEach(LeaderElection.Observation::close);
        standing.forEach(LockCandidacy::leave);
    }

    @Override
    public synchronized boolean haveLeft() {
        return leaving.stream().allMatch(LockCandidacy::hasLeft);
    }
}
