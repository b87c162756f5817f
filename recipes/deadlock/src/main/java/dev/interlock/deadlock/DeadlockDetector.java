package dev.interlock.deadlock;

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

/**
 * Finds deadlocks between the processes that share a store. A caller whose wait closes a circle gets a
 * {@link DeadlockException} that shows the circle.
 *
 * <pre>{@code
 * Interlock interlock = Interlock.builder("redis://localhost:6379")
 *     .observer(new DeadlockDetector())
 *     .build();
 * }</pre>
 *
 * <p>All clients whose callers are to be found need one. A holder whose client has none counts as one that will let go.
 *
 * <p><b>Who holds.</b> A thread holds what it has locked by {@code lock()}. A lease that was acquired as a handle, as
 * all permits of a semaphore are, may be closed by any thread: it counts only if the options of its lock name a
 * {@link LockOptions.Builder#participant participant}, which then holds it. A participant is one activity: if it waits,
 * it counts as doing nothing else, in whichever thread.
 *
 * <p><b>Who waits.</b> A thread that is blocked, and a participant, also by a future. A wait with a limit counts as one
 * without. Who has waited for less than 200 ms causes no request.
 *
 * <p><b>Who gets the exception.</b> The one whose wait came last of all that wait for each other; the store says which
 * that is. A process that does not run cannot end its wait, but then its leases end. A process that has died counts as
 * waiting until its record ends, for up to 10 s.
 *
 * <p>A detector belongs to one client. The store must have read/write locks, in which the clients tell each other of
 * their waits. Thread-safe.
 */
@SuppressWarnings("exports")
public final class DeadlockDetector implements LockObserver {

    private final Timing timing;

    private volatile @Nullable Ledger ledger;
    private volatile @Nullable Patrol patrol;

    /** Creates a detector, for one client. */
    public DeadlockDetector() {
        this(Timing.USUAL);
    }

    DeadlockDetector(Timing timing) {
        this.timing = timing;
    }

    /**
     * Called by {@link InterlockBuilder#build}.
     *
     * @throws IllegalStateException if this detector has a client already
     * @throws UnsupportedOperationException if the store has no read/write locks
     * @throws IllegalArgumentException if the prefix of the client's names is too long
     */
    @Override
    public synchronized void opened(Interlock client, String clientId, Set<Capability> capabilities) {
        if (patrol != null) {
            throw new IllegalStateException("A DeadlockDetector has one client, and this one has it already:"
                    + " give each client a detector of its own");
        }
        if (!capabilities.contains(Capability.READ_WRITE_LOCK)) {
            throw new UnsupportedOperationException("The store has no read/write locks, which deadlock detection needs"
                    + " for its records: leave out the DeadlockDetector, or use another store");
        }
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
