package dev.interlock.deadlock;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.Party;
import dev.interlock.deadlock.Records.Known;
import dev.interlock.deadlock.WaitGraph.Circle;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread that looks after long waits: writes their records, looks for circles, and ends the wait that closed one.
 * It sleeps while nobody waits, and begins with the first wait. Thread-safe.
 *
 * <pre>
 *   a caller waits --- first ---> its record is written --- look ---> nothing: look again, less and less often
 *                                                             |
 *                                                             +-----> a circle, and it came last
 *                                                                       --- pause ---> look: the same circle? end it
 * </pre>
 */
final class Patrol implements Runnable {

    private static final Logger LOG = System.getLogger("dev.interlock");

    /** How long {@link #close} waits for a request that is under way. */
    private static final long CLOSE_MILLIS = 5_000;

    private final Interlock client;
    private final String clientId;
    private final Timing timing;
    private final Ledger ledger;
    private final Records records;

    /** How many looks were taken. */
    private final AtomicLong looks = new AtomicLong();

    /** The process of this client as the store shows it, once it is known; of the patrol's thread. */
    private Party party = Party.UNKNOWN;

    /** Whether the last look failed; of the patrol's thread. */
    private boolean failing;

    /** Whether the thread sleeps until somebody waits. */
    private volatile boolean idle;

    private volatile boolean closed;

    /** Null until the first wait. Written under the monitor. */
    private volatile @Nullable Thread thread;

    Patrol(Interlock client, String clientId, Timing timing, Ledger ledger) {
        this.client = client;
        this.clientId = clientId;
        this.timing = timing;
        this.ledger = ledger;
        this.records = new Records(client, clientId);
    }

    long looks() {
        return looks.get();
    }

    /** Somebody waits. Costs nothing while the thread is awake: it looks by itself before long. */
    void wake() {
        Thread present = thread;
        if (present == null) {
            begin();
        } else if (idle) {
            LockSupport.unpark(present);
        }
    }

    private synchronized void begin() {
        if (thread == null && !closed) {
            Thread begun = new Thread(this, "interlock-deadlocks");
            begun.setDaemon(true);
            thread = begun;
            begun.start();
        }
    }

    /** Ends the thread, and waits for it as long as a request may take. */
    void close() {
        Thread present;
        synchronized (this) {
            closed = true;
            present = thread;
        }
        if (present == null || present == Thread.currentThread()) {
            return;
        }
        LockSupport.unpark(present);
        boolean interrupted = false;
        try {
            present.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        while (!closed) {
            long due = attendAll();
            if (ledger.waits().isEmpty()) {
                sleep();
            } else {
                // Whoever comes meanwhile is due later than that.
                long latest = System.nanoTime() + timing.first().toNanos();
                LockSupport.parkNanos(this, Math.max(1, Math.min(due, latest) - System.nanoTime()));
            }
        }
    }

    /** Sleeps until somebody waits. That is looked at after {@code idle} is set, so no wake is missed. */
    private void sleep() {
        idle = true;
        while (ledger.waits().isEmpty() && !closed) {
            LockSupport.park(this);
        }
        idle = false;
    }

    /** Looks after all that are due; returns when the next is. */
    private long attendAll() {
        long next = System.nanoTime() + TimeUnit.DAYS.toNanos(1);
        for (Tracked caller : ledger.waits()) {
            if (closed) {
                break;
            }
            Attention attention = caller.attention();
            if (attention.dueNanos() - System.nanoTime() <= 0) {
                attend(caller);
            }
            if (attention.dueNanos() - next < 0) {
                next = attention.dueNanos();
            }
        }
        return next;
    }

    private void attend(Tracked caller) {
        try {
            Wait wait = published(caller);
            CircleSearch search = new CircleSearch(id -> CircleSearch.inspect(client, id), this::known);
            Circle circle = wait == null ? null : search.at(wait);
            looks.incrementAndGet();
            failing = false;
            if (circle == null) {
                caller.attention().calm(System.nanoTime());
            } else if (caller.attention().isConfirmed(circle, System.nanoTime())) {
                caller.end(search.explain(circle));
            }
        } catch (RuntimeException e) {
            // The store may be silent, or a name be in use as another kind by now: the wait goes on as without a look.
            if (!closed) {
                LOG.log(
                        failing ? Level.DEBUG : Level.WARNING,
                        "Deadlocks are not found for now: a look failed, and is tried again; name="
                                + caller.id().printable(),
                        e);
            }
            failing = true;
            caller.attention().calm(System.nanoTime());
        } catch (InterruptedException e) {
            // Nobody but a stranger interrupts this thread, and there is nothing to stop.
            caller.attention().calm(System.nanoTime());
        }
    }

    /** The wait with its record, which is written if there is none; null if that failed, or the wait is over. */
    private @Nullable Wait published(Tracked caller) throws InterruptedException {
        Records.erase(caller.withdrawIfLost());
        Wait wait = caller.published();
        if (wait != null) {
            return wait;
        }
        Wait described = caller.describe(clientId);
        List<Lease> pieces = records.write(described);
        if (pieces.isEmpty()) {
            return null;
        }
        Wait ordered = described.withOrder(pieces.get(0).token());
        if (!caller.publish(ordered, pieces)) {
            Records.erase(pieces);
            return null;
        }
        return ordered;
    }

    /** The waits of a client. This one knows its own: only its process is read, once. */
    private Known known(String id) {
        if (!id.equals(clientId)) {
            return records.read(id);
        }
        if (party.equals(Party.UNKNOWN)) {
            party = records.read(id).party();
        }
        return new Known(
                ledger.waits().stream()
                        .map(Tracked::published)
                        .filter(Objects::nonNull)
                        .toList(),
                party);
    }
}
