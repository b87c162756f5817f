package dev.interlock.engine;

import dev.interlock.spi.LockStore;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * A client: builds the parts that share an {@link EngineContext}, has the arbiters looked after by the supervisor, and
 * closes everything in order. Thread-safe.
 */
final class EngineCore implements Supervisor.Sweeper {

    /** When to look again at an arbiter that has failed. */
    private static final long TROUBLED_NANOS = Duration.ofMillis(20).toNanos();

    private final EngineContext context;
    private final Arbiters arbiters;
    private final Renewals renewals;
    private final long closeTimeoutNanos;

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
        EngineClock clock = new EngineClock(source);
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
                new Events(config.listeners(), observers, callbacks, clock),
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
        return Math.min(due, context.releases().tick(now));
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
            System.getLogger("dev.interlock")
                    .log(Level.ERROR, "Watching lock '" + arbiter.id().name() + "' failed; trying again", e);
            return now + TROUBLED_NANOS;
        }
    }

    private static void requestSafely(DeferredActions actions) {
        try {
            actions.sendRequests();
        } catch (Throwable e) {
            System.getLogger("dev.interlock").log(Level.ERROR, "A request to the store failed", e);
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
        if (!context.closed().compareAndSet(false, true)) {
            return;
        }
        arbiters.all().forEach(Arbiter::close);
        if (!context.releases().awaitAnswers(context.now() + closeTimeoutNanos)) {
            System.getLogger("dev.interlock")
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
