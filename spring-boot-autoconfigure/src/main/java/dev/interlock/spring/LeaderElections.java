package dev.interlock.spring;

import dev.interlock.Candidacy;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * The elections in which the application stands, from its start to its end: those of {@code interlock.elections} and of
 * methods with {@link LeaderOnly}. Each change is published as a {@link LeaderElectedEvent} or a
 * {@link LeadershipEndedEvent}. Thread-safe.
 */
public final class LeaderElections implements SmartLifecycle {

    private final Supplier<Interlock> interlock;
    private final Function<String, LockOptions> options;
    private final Supplier<Collection<String>> names;
    private final Consumer<Object> events;
    private final int phase;
    private final Map<String, Standing> standing = new ConcurrentHashMap<>();
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
     */
    public LeaderElections(
            Supplier<Interlock> interlock,
            Function<String, LockOptions> options,
            Supplier<Collection<String>> names,
            Consumer<Object> events,
            int phase) {
        this.interlock = interlock;
        this.options = options;
        this.names = names;
        this.events = events;
        this.phase = phase;
    }

    /** Whether this application leads the election of this name. No I/O. */
    public boolean isLeader(String election) {
        return leadership(election).isPresent();
    }

    /** The lease of the present leadership of this application. No I/O. */
    public Optional<Lease> leadership(String election) {
        Standing known = standing.get(election);
        return known == null
                ? Optional.empty()
                : Optional.ofNullable(known.role().leadership());
    }

    /** Gives the leadership up, and stands again behind all who wait; returns whether this application led. */
    public boolean abdicate(String election) {
        Standing known = standing.get(election);
        return known != null && known.candidacy().abdicate();
    }

    /** The part in an election in which the application stands from now on; null while it does not run. */
    @Nullable
    LeaderRole role(String election) {
        if (!running) {
            return null;
        }
        LeaderRole role = standing.computeIfAbsent(election, this::join).role();
        if (!running) {
            // It may have joined after stop() looked.
            leave(election);
            return null;
        }
        return role;
    }

    private void leave(String election) {
        Standing left = standing.remove(election);
        if (left != null) {
            left.candidacy().close();
        }
    }

    private Standing join(String election) {
        LeaderRole role = new LeaderRole(election, events);
        return new Standing(
                role,
                interlock.get().election(election, options.apply(election)).join(role));
    }

    @Override
    public void start() {
        running = true;
        names.get().forEach(this::role);
    }

    @Override
    public void stop() {
        running = false;
        standing.keySet().forEach(this::leave);
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
