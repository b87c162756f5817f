package dev.interlock.deadlock;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.Party;
import dev.interlock.deadlock.Records.Known;
import dev.interlock.deadlock.WaitGraph.Circle;
import dev.interlock.spi.Log;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Looks after long waits: writes their records, looks for circles, and ends the wait that closed one. One round after
 * the other runs on one thread, which exists while somebody waits. Thread-safe.
 *
 * <pre>
 *   a caller waits --- first ---> its record is written --- look ---> nothing: look again, less and less often
 *                                                             |
 *                                                             +-----> a circle, and it came last
 *                                                                       --- pause ---> look: the same circle? end it
 * </pre>
 */
final class Patrol {

    private static final Logger LOG = Log.named("dev.interlock");

    /** How long {@link #close} waits for a request that is under way. */
    private static final long CLOSE_MILLIS = 5_000;

    /** How long the thread stays when nobody waits. */
    private static final long IDLE_MILLIS = 1_000;

    private final Interlock client;
    private final String clientId;
    private final Timing timing;
    private final Ledger ledger;
    private final Records records;
    private final ScheduledThreadPoolExecutor executor;

    /** Whether a round runs, or is going to. */
    private final Duty duty;

    /** How many looks were taken. */
    private final AtomicLong looks = new AtomicLong();

    /** The last thread that was created; null before the first wait. */
    private volatile @Nullable Thread thread;

    /** The process of this client as the store shows it, once it is known; of the rounds. */
    private Party party = Party.UNKNOWN;

    /** How many rounds were made; of the rounds, as what follows. */
    private long rounds;

    /** The round since which looks have failed; 0 if the last one did not. */
    private long failingSince;

    private boolean reported;

    Patrol(Interlock client, String clientId, Timing timing, Ledger ledger) {
        this.client = client;
        this.clientId = clientId;
        this.timing = timing;
        this.ledger = ledger;
        this.records = new Records(client, clientId);
        this.duty = new Duty(() -> !ledger.waits().isEmpty());
        this.executor = new ScheduledThreadPoolExecutor(1, this::created);
        executor.setKeepAliveTime(IDLE_MILLIS, TimeUnit.MILLISECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    private Thread created(Runnable rounds) {
        Thread created = new Thread(rounds, "interlock-deadlocks");
        created.setDaemon(true);
        thread = created;
        return created;
    }

    long looks() {
        return looks.get();
    }

    /** Somebody waits: the next round is before long. */
    void wake() {
        if (duty.begin()) {
            next(0);
        }
    }

    private void next(long pauseNanos) {
        try {
            var unused = executor.schedule(this::round, pauseNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The client is closed.
        }
    }

    /** Looks after those who wait, and is followed by the next round as long as somebody does. */
    private void round() {
        // Whoever comes meanwhile is due later than that.
        long pauseNanos = timing.first().toNanos();
        rounds++;
        try {
            pauseNanos = Math.max(1, Math.min(attendAll() - System.nanoTime(), pauseNanos));
        } finally {
            if (duty.goesOn()) {
                next(pauseNanos);
            }
        }
    }

    /** Makes no more rounds, and waits for the present one as long as a request may take. */
    void close() {
        executor.shutdown();
        Thread present = thread;
        if (present == null || present == Thread.currentThread()) {
            return;
        }
        try {
            present.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks after all that are due; returns when the next is. */
    private long attendAll() {
        long next = System.nanoTime() + TimeUnit.DAYS.toNanos(1);
        for (Tracked caller : ledger.waits()) {
            if (executor.isShutdown()) {
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
            failingSince = 0;
            reported = false;
            if (circle == null) {
                caller.attention().calm(System.nanoTime());
            } else if (caller.attention().isConfirmed(circle, System.nanoTime())) {
                caller.end(search.explain(circle));
            }
        } catch (RuntimeException e) {
            // The store may be silent, or a name be in use as another kind by now: the wait goes on as without a look.
            report(caller, e);
            caller.attention().calm(System.nanoTime());
        } catch (InterruptedException e) {
            // Nobody but a stranger interrupts this thread, and there is nothing to stop.
            caller.attention().calm(System.nanoTime());
        }
    }

    /** Warns of looks that fail in two rounds: in one they do when the client is closed, and there is no other then. */
    private void report(Tracked caller, RuntimeException failure) {
        if (failingSince == 0) {
            failingSince = rounds;
        }
        boolean warns = rounds > failingSince && !reported;
        reported |= warns;
        LOG.log(
                warns ? Level.WARNING : Level.DEBUG,
                "Deadlocks are not found for now: a look failed, and is tried again; name="
                        + caller.id().printable(),
                failure);
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
