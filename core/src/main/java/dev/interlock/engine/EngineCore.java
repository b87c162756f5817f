package dev.interlock.engine;

import dev.interlock.spi.LockStore;
import dev.interlock.spi.Log;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * A client: builds the parts that share an {@link EngineContext}, has the arbiters looked after by the supervisor, and
 * closes everything in order. Thread-safe.
 */
final class EngineCore implements Supervisor.Sweeper {

    /** When to look again at an arbiter that has failed. */
    private static final long TROUBLED_NANOS = Duration.ofMillis(20).toNanos();

    /** How often a client that closes looks whether work has ended, and afterwards whether leases have. */
    private static final long POLL_NANOS = Duration.ofMillis(1).toNanos();

    private static final long OPEN = Long.MIN_VALUE;

    private static final long LEFT_NANOS = Duration.ofMillis(20).toNanos();

    /** How many leases a message names. */
    private static final int MOST_DESCRIBED = 10;

    private final EngineContext context;
    private final Arbiters arbiters;
    private final Renewals renewals;
    private final long closeTimeoutNanos;

    /**
     * While the client is closed except for leases that are left: until when it waits for their releases. Otherwise
     * {@link #OPEN}. Written by the thread that closes the client, and from then on by the supervisor.
     */
    private volatile long untilShutDownNanos = OPEN;

    EngineCore(LockStore store, EngineConfig config, LongSupplier clock) {
        this(store, config, clock, Supervisor::newThread);
    }

    EngineCore(LockStore store, EngineConfig config, LongSupplier clock, ThreadFactory supervisorThread) {
        this(store, config, clock, supervisorThread, new SecureRandom());
    }

    /**
     * All that a run of it depends on besides its callers and its store.
     *
     * @param random thread-safe if the engine has threads; nobody must be able to guess it
     */
    EngineCore(
            LockStore store,
            EngineConfig config,
            LongSupplier source,
            ThreadFactory supervisorThread,
            RandomGenerator random) {
        this(store, config, new EngineClock(source), supervisorThread, random);
    }

    EngineCore(
            LockStore store,
            EngineConfig config,
            EngineClock clock,
            ThreadFactory supervisorThread,
            RandomGenerator random) {
        Timeouts timeouts = new Timeouts(config, random);
        Supervisor supervisor = new Supervisor(clock, this, supervisorThread);
        Callbacks callbacks = new Callbacks(config.callbackExecutor(), clock, supervisor);
        Observers observers = new Observers(config.observers(), clock);
        StoreClient client = new StoreClient(store, clock, timeouts, observers);
        this.context = new EngineContext(
                clock,
                timeouts,
                client,
                new ClaimFactory(config.application(), random),
                supervisor,
                callbacks,
                observers,
                new PendingReleases(client, supervisor));
        this.arbiters = new Arbiters(context);
        this.renewals = new Renewals(client);
        this.closeTimeoutNanos = config.closeTimeout().toNanos();
        store.onWake(arbiters::wake);
    }

    EngineContext context() {
        return context;
    }

    Arbiters arbiters() {
        return arbiters;
    }

    // ---- time

    /** Looks after everything that is due; returns when something is due next. */
    @Override
    public long sweep(long now) {
        long due = EngineClock.NEVER;
        // When thousands of leases end at once, all holders are notified before the first request goes to a store that
        // may be dead.
        List<DeferredActions> requests = new ArrayList<>();
        for (Arbiter arbiter : arbiters.all()) {
            due = Math.min(due, tickSafely(arbiter, now, requests));
            renewals.flushIfFull();
        }
        requests.forEach(EngineCore::requestSafely);
        fillUpRenewals();
        renewals.flush();
        due = Math.min(due, renewals.tick(now));
        due = Math.min(due, context.callbacks().tick(now));
        due = Math.min(due, context.releases().tick(now));
        context.store().outage().tick(now, this::leaseCount);
        return untilShutDownNanos == OPEN ? due : Math.min(due, shutDownIfDone(now));
    }

    private int leaseCount() {
        int count = 0;
        for (Arbiter arbiter : arbiters.all()) {
            count += arbiter.leaseCount();
        }
        return count;
    }

    @Override
    public int size() {
        return arbiters.count();
    }

    /** An error in one arbiter must not keep the leases of the others from being renewed. */
    private long tickSafely(Arbiter arbiter, long now, List<DeferredActions> requests) {
        try {
            return arbiter.tick(renewals, requests);
        } catch (Throwable e) {
            Log.named("dev.interlock")
                    .log(Level.ERROR, "Watching lock '" + arbiter.id().printable() + "' failed; trying again", e);
            return now + TROUBLED_NANOS;
        }
    }

    private static void requestSafely(DeferredActions actions) {
        try {
            actions.sendRequests();
        } catch (Throwable e) {
            Log.named("dev.interlock").log(Level.ERROR, "A request to the store failed", e);
        }
    }

    /**
     * A request that is not full and goes out anyway takes along what is due soon: so the phases of some claims merge.
     * Those of thousands stay apart. Otherwise all of them would end at once when the store is gone, and their holders
     * could not be notified in time.
     */
    private void fillUpRenewals() {
        for (Arbiter arbiter : arbiters.all()) {
            if (!renewals.isPending()) {
                return;
            }
            arbiter.renewEarly(renewals);
            renewals.flushIfFull();
        }
    }

    // ---- the end

    /** See {@link dev.interlock.Interlock#close()}. */
    void close() {
        close(() -> true);
    }

    /**
     * Closes in three steps, of which the first two have one bound together: what nobody here needs is released, and
     * code of the user that runs under leases gets the time to end; then nobody may acquire anything any more; then the
     * store is closed. If such code is left, its leases stay, unrenewed, and the last step waits for the end of these:
     * the store is closed by the supervisor.
     *
     * @param haveEnded whether what else is waited for has ended
     */
    void close(BooleanSupplier haveEnded) {
        if (!context.closed().compareAndSet(false, true)) {
            return;
        }
        long untilNanos = context.now() + closeTimeoutNanos;
        arbiters.all().forEach(Arbiter::close);
        awaitEnd(haveEnded, untilNanos);
        context.over();
        List<EngineLease> left = new ArrayList<>();
        arbiters.all().forEach(arbiter -> left.addAll(arbiter.close()));
        boolean answered = context.releases().awaitAnswers(untilNanos);
        if (left.isEmpty()) {
            shutDown(answered);
        } else {
            arbiters.all().forEach(Arbiter::letRunOut);
            Log.named("dev.interlock").log(Level.WARNING, describe(left));
            untilShutDownNanos = EngineClock.NEVER;
            context.supervisor().arm(context.now());
        }
    }

    /** Waits for code of the user and the rest of the client, but not for the calling thread itself. */
    private void awaitEnd(BooleanSupplier haveEnded, long untilNanos) {
        boolean interrupted = false;
        while ((context.works().isAnyElsewhere() || !haveEnded.getAsBoolean()) && context.now() < untilNanos) {
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(this, POLL_NANOS);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private String describe(List<EngineLease> left) {
        long now = context.now();
        return "The client closes, and work under its locks goes on. So they are not released: each stays locked,"
                + " without renewals, until its work ends or its lease runs out in the store; end the work before the"
                + " client: "
                + left.stream()
                        .limit(MOST_DESCRIBED)
                        .map(lease -> lease.describe(now))
                        .collect(Collectors.joining(", "))
                + (left.size() > MOST_DESCRIBED ? ", and " + (left.size() - MOST_DESCRIBED) + " more" : "");
    }

    /** The client has closed, except for leases that ran out or ended by now; returns when to look again. */
    private long shutDownIfDone(long now) {
        if (leaseCount() > 0) {
            return now + LEFT_NANOS;
        }
        untilShutDownNanos = Math.min(untilShutDownNanos, now + closeTimeoutNanos);
        boolean answered = context.releases().isAnswered();
        if (!answered && now < untilShutDownNanos) {
            return now + LEFT_NANOS;
        }
        untilShutDownNanos = OPEN;
        shutDown(answered);
        return EngineClock.NEVER;
    }

    private void shutDown(boolean answered) {
        if (!answered) {
            Log.named("dev.interlock")
                    .log(
                            Level.INFO,
                            "Closing without the store's confirmation of all releases; "
                                    + "what is left ends with its lease");
        }
        // What ends now waits for its threads; an interrupt would cut that short.
        boolean interrupted = Thread.interrupted();
        context.supervisor().stop();
        context.releases().close();
        context.store().close();
        context.callbacks().close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
