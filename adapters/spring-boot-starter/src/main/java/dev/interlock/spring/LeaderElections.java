package dev.interlock.spring;

import dev.interlock.Candidacy;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.spi.Printable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * The elections in which the application stands, from its start to its end: those of {@code interlock.elections} and of
 * methods with {@link LeaderOnly}. Each change is published as a {@link LeaderElectedEvent} or a
 * {@link LeadershipEndedEvent}. Thread-safe.
 *
 * <p>A client stands in an election once. So where the parent of a context stands with the same client, the context
 * shares that leadership, and the events are those of the parent.
 */
public final class LeaderElections implements SmartLifecycle {

    private static final Log LOG = LogFactory.getLog(LeaderElections.class);

    private static final long FIRST_PAUSE_NANOS = 10_000_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

    private final Supplier<Interlock> interlock;
    private final Function<String, LockOptions> options;
    private final Supplier<Collection<String>> names;
    private final Consumer<Object> events;
    private final int phase;
    private final @Nullable LeaderElections parent;
    private final Map<String, Standing> standing = new ConcurrentHashMap<>();

    /** Those that were left: their methods may go on for longer than the client waits for them. */
    private final Set<String> left = ConcurrentHashMap.newKeySet();

    private volatile boolean running;

    private record Standing(LeaderRole role, Candidacy candidacy) {}

    /**
     * Stands in none yet.
     *
     * @param interlock the client; asked for when there is an election to stand in
     * @param options the options of the election of a name
     * @param names the elections to stand in from the start on
     * @param events publishes an event
     * @param phase when to start and to stop
     * @param parent those of the context's parent; null if there are none
     */
    public LeaderElections(
            Supplier<Interlock> interlock,
            Function<String, LockOptions> options,
            Supplier<Collection<String>> names,
            Consumer<Object> events,
            int phase,
            @Nullable LeaderElections parent) {
        this.interlock = interlock;
        this.options = options;
        this.names = names;
        this.events = events;
        this.phase = phase;
        this.parent = parent;
    }

    /** Whether this application leads the election of this name. No I/O. */
    public boolean isLeader(String election) {
        return leadership(election).isPresent();
    }

    /** The lease of the present leadership of this application. No I/O. */
    public Optional<Lease> leadership(String election) {
        LeaderElections shared = shared(election);
        if (shared != null) {
            return running ? shared.leadership(election) : Optional.empty();
        }
        Standing known = standing.get(election);
        return known == null
                ? Optional.empty()
                : Optional.ofNullable(known.role().leadership());
    }

    /** Those of the parent, if they stand in this election for this context, too; else null. */
    private @Nullable LeaderElections shared(String election) {
        return parent != null
                        && !standing.containsKey(election)
                        && parent.stands(election)
                        && parent.interlock.get() == interlock.get()
                ? parent
                : null;
    }

    private boolean stands(String election) {
        return standing.containsKey(election) || (parent != null && parent.stands(election));
    }

    /** Gives the leadership up, and stands again behind all who wait; returns whether this application led. */
    public boolean abdicate(String election) {
        LeaderElections shared = shared(election);
        if (shared != null) {
            return shared.abdicate(election);
        }
        Standing known = standing.get(election);
        return known != null && known.candidacy().abdicate();
    }

    /**
     * The part in an election in which the application stands from now on; null while it does not run, and while a
     * method of the time before a restart still runs.
     */
    @Nullable
    LeaderRole role(String election) {
        if (!running) {
            return null;
        }
        LeaderElections shared = shared(election);
        if (shared != null) {
            return shared.role(election);
        }
        LeaderRole role;
        try {
            role = standing.computeIfAbsent(election, this::join).role();
        } catch (IllegalStateException e) {
            if (left.contains(election)) {
                return null;
            }
            throw e;
        }
        left.remove(election);
        if (!running) {
            // It may have joined after stop() looked.
            leave(election);
            return null;
        }
        return role;
    }

    /** Leaves an election; waits for the methods of the leader, for the client's {@code closeTimeout} at most. */
    private void leave(String election) {
        Candidacy former = remove(election);
        if (former != null) {
            former.close();
        }
    }

    /** The application stands in it no more: whoever looks now joins anew. */
    private @Nullable Candidacy remove(String election) {
        // Before it is removed: who looks then and cannot join knows why.
        left.add(election);
        Standing former = standing.remove(election);
        return former == null ? null : former.candidacy();
    }

    private Standing join(String election) {
        LeaderRole role = new LeaderRole(election, events);
        return new Standing(
                role,
                interlock
                        .get()
                        .election(election, options.apply(election).forElection())
                        .join(role));
    }

    @Override
    public void start() {
        running = true;
        names.get().forEach(election -> {
            if (role(election) == null && left.contains(election)) {
                LOG.warn("A method of the leader still runs after the application was stopped; it stands again in the"
                        + " election when that has returned: " + Printable.of(election));
                var unused = inBackground(() -> rejoin(election));
            }
        });
    }

    /**
     * Stands again when the methods of the time before the stop have returned. Nobody tells: asks less and less often.
     */
    private void rejoin(String election) {
        long pauseNanos = FIRST_PAUSE_NANOS;
        while (running && role(election) == null) {
            LockSupport.parkNanos(pauseNanos);
            pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
        }
    }

    /** Leaves all elections at once, so that they end within one bound; waits for that on a thread of its own. */
    @Override
    public void stop(Runnable callback) {
        running = false;
        // All of them now: the application may be started again before the first one is closed.
        List<Candidacy> former = standing.keySet().stream()
                .map(this::remove)
                .filter(Objects::nonNull)
                .toList();
        former.forEach(Candidacy::leave);
        var unused =
                inBackground(() -> former.forEach(Candidacy::close)).whenComplete((none, failure) -> callback.run());
    }

    @Override
    public void stop() {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        stop(() -> stopped.complete(null));
        stopped.join();
    }

    private static CompletableFuture<Void> inBackground(Runnable work) {
        return CompletableFuture.runAsync(work, task -> {
            Thread thread = new Thread(task, "interlock-elections");
            thread.setDaemon(true);
            thread.start();
        });
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return phase;
    }
}
