package dev.interlock.election;

import dev.interlock.Candidacy;
import dev.interlock.Candidate;
import dev.interlock.DistributedLock;
import dev.interlock.LeaderElection;
import dev.interlock.LeaderTask;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.spi.Printable;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** An election: the leader holds the lock of its name, and the candidates wait for it. */
final class LockElection implements LeaderElection {

    private final ClientElections elections;
    private final String name;
    private final LockOptions options;

    LockElection(ClientElections elections, String name, LockOptions options) {
        this.elections = elections;
        this.name = name;
        this.options = options;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Candidacy join(Candidate candidate) {
        return join(LeaderRole.of(Objects.requireNonNull(candidate, "candidate")));
    }

    @Override
    public Candidacy join(LeaderTask task) {
        return join(LeaderRole.of(Objects.requireNonNull(task, "task")));
    }

    private Candidacy join(LeaderRole role) {
        LockCandidacy candidacy = new LockCandidacy(elections, name, options, role);
        elections.add(candidacy);
        candidacy.start();
        return candidacy;
    }

    @Override
    public Observation observe(Consumer<Optional<LockStatus.Holder>> listener) {
        ElectionObservation observation =
                new ElectionObservation(elections, lock(), Objects.requireNonNull(listener, "listener"));
        elections.add(name, observation);
        observation.start();
        return observation;
    }

    @Override
    public LockStatus inspect() {
        return lock().inspect();
    }

    private DistributedLock lock() {
        return elections.client().lock(name, options);
    }

    @Override
    public String toString() {
        return "LeaderElection[name=" + Printable.of(name) + "]";
    }
}
