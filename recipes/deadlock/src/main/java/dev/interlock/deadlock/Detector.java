package dev.interlock.deadlock;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.spi.Capability;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The observer of one client: follows its acquisitions, and looks after those that wait for long. Thread-safe. */
final class Detector implements LockObserver {

    private final Timing timing;

    @GuardedBy("this")
    private String clientId = "";

    private volatile @Nullable Ledger ledger;
    private volatile @Nullable Patrol patrol;

    Detector(Timing timing) {
        this.timing = timing;
    }

    /** Adds a detector to the client that is to be built. */
    static Detector addTo(InterlockBuilder builder, Timing timing) {
        Detector detector = new Detector(timing);
        builder.observer(detector).whenBuilt(detector::start);
        return detector;
    }

    @Override
    public synchronized void opened(String ofClient, Set<Capability> capabilities) {
        if (!capabilities.contains(Capability.READ_WRITE_LOCK)) {
            throw new UnsupportedOperationException("The store has no read/write locks, which deadlock detection needs"
                    + " for its records: leave out the DeadlockDetector, or use another store");
        }
        clientId = ofClient;
    }

    private synchronized void start(Interlock client) {
        // Checks the name, with the prefix of the client.
        client.readWriteLock(Records.nameOf(clientId));
        Ledger opened = new Ledger(client);
        patrol = new Patrol(client, clientId, timing, opened);
        ledger = opened;
    }

    @Override
    public void closed() {
        Patrol present = patrol;
        if (present != null) {
            present.close();
        }
    }

    /** Not called: the client calls {@link #acquiring(String, LockKind, Mode, LockOptions)}. */
    @Override
    public @Nullable Acquisition acquiring(String name, LockKind kind, Mode mode) {
        return acquiring(name, kind, mode, LockOptions.defaults());
    }

    @Override
    public @Nullable Acquisition acquiring(String name, LockKind kind, Mode mode, LockOptions options) {
        Ledger present = ledger;
        Patrol watching = patrol;
        if (present == null
                || watching == null
                || !Tracked.isOfInterest(kind, mode)
                || name.startsWith(Records.PREFIX)) {
            return null;
        }
        Attention attention = new Attention(timing, System.nanoTime());
        return new Tracked(present, watching::wake, attention, new LockId(name, kind), mode, options.participant());
    }

    /** How many looks were taken, for tests. */
    long looks() {
        Patrol present = patrol;
        return present == null ? 0 : present.looks();
    }

    /** How many waits others can read now, for tests. */
    long published() {
        Ledger present = ledger;
        return present == null
                ? 0
                : present.waits().stream()
                        .filter(wait -> wait.published() != null)
                        .count();
    }
}
