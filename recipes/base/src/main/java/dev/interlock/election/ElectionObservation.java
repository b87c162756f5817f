package dev.interlock.election;

import dev.interlock.DistributedLock;
import dev.interlock.LeaderElection;
import dev.interlock.LockStatus;
import dev.interlock.LockStatus.Holder;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Printable;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A thread that asks again and again who leads, and tells a listener of each change. Thread-safe. */
final class ElectionObservation implements LeaderElection.Observation {

    /** In the place of an owner, which is never empty. */
    private static final String NOBODY = "";

    private final ClientElections elections;
    private final DistributedLock lock;
    private final Consumer<Optional<Holder>> listener;
    private final Thread thread;

    /** Open until it is closed. */
    private final CountDownLatch closed = new CountDownLatch(1);

    ElectionObservation(ClientElections elections, DistributedLock lock, Consumer<Optional<Holder>> listener) {
        this.elections = elections;
        this.lock = lock;
        this.listener = listener;
        this.thread = new Thread(this::run, "interlock-observation-" + lock.name());
        thread.setDaemon(true);
    }

    void start() {
        try {
            thread.start();
        } catch (Throwable e) {
            elections.remove(this);
            throw e;
        }
    }

    private void run() {
        String known = null;
        do {
            LockStatus status = ask();
            if (status != null && closed.getCount() > 0) {
                Optional<Holder> leader = leader(status);
                String owner = leader.map(Holder::owner).orElse(NOBODY);
                if (!owner.equals(known)) {
                    known = owner;
                    LockCandidacy.call(() -> listener.accept(leader));
                }
            }
        } while (pause());
    }

    /** Null if the store does not answer. */
    private @Nullable LockStatus ask() {
        try {
            return lock.inspect();
        } catch (StoreUnavailableException | IllegalStateException e) {
            return null;
        }
    }

    /** Nobody leads while the name is left to lapse. */
    private static Optional<Holder> leader(LockStatus status) {
        return status.holders().stream().filter(holder -> !holder.isLeft()).findFirst();
    }

    /** Returns whether to ask again. */
    private boolean pause() {
        long until = System.nanoTime() + elections.pollCap().toNanos();
        while (true) {
            try {
                return !closed.await(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                // A listener may have interrupted its own thread.
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
        elections.remove(this);
    }

    @Override
    public String toString() {
        return "Observation[name=" + Printable.of(lock.name()) + "]";
    }
}
