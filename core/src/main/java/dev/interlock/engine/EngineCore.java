package dev.interlock.engine;

import dev.interlock.Party;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the parts of an engine share: the store, the clock, the settings, the arbiters, and each other. Thread-safe. */
final class EngineCore {

    private static final Logger LOG = System.getLogger("dev.interlock");

    /** A ticket has 48 bits, which a script can count with. */
    private static final int TICKET_SHIFT = 16;

    /** When to look again at an arbiter that has failed. */
    private static final long TROUBLED_NANOS = Duration.ofMillis(20).toNanos();

    private final LockStore store;
    private final Set<Capability> capabilities;
    private final EngineConfig config;
    private final LongSupplier clock;
    private final long clockOrigin;
    private final String clientId = UUID.randomUUID().toString();
    private final Self self;
    private final AtomicLong sequence = new AtomicLong();
    private final SecureRandom tickets = new SecureRandom();
    private final Arbiters arbiters = new Arbiters(this);
    private final Callbacks callbacks;
    private final Events events;
    private final PendingReleases pendingReleases = new PendingReleases(this);
    private final Renewals renewals = new Renewals(this);
    private final Supervisor supervisor;
    private final long attemptTimeoutNanos;
    private final long storeTimeoutNanos;
    private final long pollCapNanos;
    private volatile boolean closed;

    /**
     * The longest time that an answer has taken, forgotten by and by. Written by many threads: a lost update is made up
     * by the next.
     */
    private volatile long latencyNanos;

    EngineCore(LockStore store, EngineConfig config, LongSupplier clock) {
        this(store, config, clock, Supervisor::newThread);
    }

    EngineCore(LockStore store, EngineConfig config, LongSupplier clock, ThreadFactory supervisorThread) {
        this.supervisor = new Supervisor(this, supervisorThread);
        this.store = store;
        this.capabilities = store.capabilities();
        this.config = config;
        this.clock = clock;
        this.clockOrigin = clock.getAsLong() - TimeUnit.SECONDS.toNanos(1);
        this.self = new Self(config.application());
        this.callbacks = new Callbacks(config.callbackExecutor(), this);
        this.events = new Events(config.listeners(), callbacks, this);
        this.storeTimeoutNanos = config.storeTimeout().toNanos();
        this.attemptTimeoutNanos = Math.min(config.attemptTimeout().toNanos(), storeTimeoutNanos);
        this.pollCapNanos = config.pollCap().toNanos();
        store.onWake(arbiters::wake);
    }

    // ---- time

    /** Monotonic, in nanoseconds, positive. */
    long now() {
        return clock.getAsLong() - clockOrigin;
    }

    void arm(long atNanos) {
        supervisor.arm(atNanos);
    }

    Supervisor supervisor() {
        return supervisor;
    }

    /** Looks after everything that is due; returns when something is due next. */
    long sweep(long now) {
        long due = Waiter.FOREVER;
        // When thousands of leases end at once all holders are told before the first request goes to a store that may
        // be dead.
        List<Effects> requests = new ArrayList<>();
        for (Arbiter arbiter : arbiters.all()) {
            due = Math.min(due, tickSafely(arbiter, now, requests));
            renewals.flushIfFull();
        }
        requests.forEach(EngineCore::requestSafely);
        fillUpRenewals();
        renewals.flush();
        due = Math.min(due, renewals.tick(now));
        due = Math.min(due, callbacks.tick(now));
        return Math.min(due, pendingReleases.tick(now));
    }

    /** An error in one arbiter must not keep the leases of the others from being renewed. */
    private long tickSafely(Arbiter arbiter, long now, List<Effects> requests) {
        try {
            return arbiter.tick(renewals, requests);
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "Watching lock '" + arbiter.id().name() + "' failed; trying again", e);
            return now + TROUBLED_NANOS;
        }
    }

    private static void requestSafely(Effects effects) {
        try {
            effects.request();
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "A request to the store failed", e);
        }
    }

    /**
     * A request that is not full and goes out anyway takes along what would be due soon: so the phases of some claims
     * merge. Those of thousands stay apart, or all of them would end at once when the store is gone, and could not be
     * told in time.
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

    long attemptTimeoutNanos() {
        return attemptTimeoutNanos;
    }

    /**
     * An answer that counts has come after this time. One that seems to have come later than anybody waits was kept up
     * by a stop of this process.
     */
    void answeredAfter(long nanos) {
        long known = latencyNanos;
        latencyNanos = Math.max(Math.min(nanos, patienceNanos()), known - known / 16);
    }

    /**
     * How long to wait for one answer: what is asked again of a store that only has much to do gives it more to do, and
     * the next answer comes later still.
     */
    long patienceNanos() {
        return Math.max(attemptTimeoutNanos, Math.min(4 * latencyNanos, storeTimeoutNanos / 2));
    }

    long storeTimeoutNanos() {
        return storeTimeoutNanos;
    }

    /** The poll cap less up to a quarter, so that waiting clients do not poll in step. */
    long jitteredPollCap() {
        return jittered(pollCapNanos);
    }

    long jittered(long nanos) {
        return nanos - ThreadLocalRandom.current().nextLong(nanos / 4 + 1);
    }

    Arbiters arbiters() {
        return arbiters;
    }

    // ---- the store

    LockStore store() {
        return store;
    }

    /** Why the store cannot do this, before it is asked; null if it can. */
    @Nullable
    UnsupportedOperationException refusal(LockId id, Mode mode) {
        Capability needed = Capability.neededFor(id.kind(), mode);
        return needed == null || capabilities.contains(needed) ? null : needed.refusal(store, id.name());
    }

    /** The store's list of locks; refuses if it has none. */
    LockCatalog catalog(String prefix) {
        if (capabilities.contains(Capability.LISTING) && store instanceof LockCatalog catalog) {
            return catalog;
        }
        throw Capability.LISTING.refusal(store, prefix);
    }

    /** Who this process is. To look it up for the first time may take long. */
    Party self() {
        return self.party();
    }

    Claim newClaim(Request request, String threadName) {
        OwnerId owner = OwnerId.of(clientId, sequence.incrementAndGet());
        return Claim.of(request.id(), request.mode(), owner, request.term().length(), self().withThread(threadName));
    }

    /** Tells one request of a claim from every other; a message that names it can be from nobody but the store. */
    long newTicket() {
        return 1 + (tickets.nextLong() >>> TICKET_SHIFT);
    }

    CompletableFuture<Attempt> acquire(Claim claim, boolean lent) {
        return ask(() -> store.acquire(claim), lent);
    }

    CompletableFuture<Boolean> releaseInStore(Claim claim, boolean lent) {
        return ask(() -> store.release(claim), lent);
    }

    /** @param lent whether this thread waits for the answer anyway, and so may be kept by the store */
    private <T> CompletableFuture<T> ask(Supplier<CompletionStage<T>> verb, boolean lent) {
        return guarded(lent ? () -> store.lend(Duration.ofNanos(attemptTimeoutNanos), verb) : verb);
    }

    CompletableFuture<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        return guarded(() -> store.renew(claims));
    }

    /** Renews one claim and waits; the answer of a store that left it out counts as none. */
    Renewal renewNow(Claim claim, long timeoutNanos) {
        Renewal answer = await(
                        renew(List.of(claim)),
                        timeoutNanos,
                        "renew lock '" + claim.id().name() + "'")
                .get(claim);
        if (answer == null) {
            throw new StoreUnavailableException(
                    "The store did not say whether lock '" + claim.id().name() + "' was renewed", null);
        }
        return answer;
    }

    /** A verb must not throw; if one does, be it an error of linkage, that is its answer. */
    private static <T> CompletableFuture<T> guarded(Supplier<CompletionStage<T>> verb) {
        try {
            return verb.get().toCompletableFuture();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Waits for a store's answer, deaf to interrupts, for a bounded time; the flag is set again. */
    <T> T await(CompletableFuture<T> future, long timeoutNanos, String what) {
        long until = now() + timeoutNanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(Math.max(0, until - now()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException e) {
            future.cancel(false);
            throw new StoreUnavailableException(
                    "The store did not answer within "
                            + Duration.ofNanos(timeoutNanos).toMillis() + " ms: could not " + what,
                    null);
        } catch (ExecutionException | CancellationException e) {
            Throwable cause = LockStore.causeOf(e);
            Supplier<RuntimeException> refusal = Refusals.of(cause);
            if (refusal != null) {
                throw refusal.get();
            }
            throw new StoreUnavailableException("Could not " + what + ": " + messageOf(cause), cause);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** For a caller to whom the store has not given one answer. */
    StoreUnavailableException silence(LockId id, Waiter waiter, @Nullable Throwable lastFailure) {
        long waitedMillis = TimeUnit.NANOSECONDS.toMillis(now() - waiter.startNanos());
        Throwable cause = LockStore.causeOf(lastFailure);
        return new StoreUnavailableException(
                "The store did not answer for " + waitedMillis + " ms: lock '" + id.name() + "' not acquired"
                        + (cause == null ? "" : "; last failure: " + messageOf(cause)),
                cause);
    }

    private static String messageOf(@Nullable Throwable e) {
        if (e == null) {
            return "unknown";
        }
        String message = e.getMessage();
        return message == null || message.isBlank() ? e.getClass().getSimpleName() : message;
    }

    // ---- the rest

    Callbacks callbacks() {
        return callbacks;
    }

    Events events() {
        return events;
    }

    PendingReleases pendingReleases() {
        return pendingReleases;
    }

    boolean isClosed() {
        return closed;
    }

    IllegalStateException closedException(LockId id) {
        return new IllegalStateException(
                "The client is closed: lock '" + id.name() + "' cannot be acquired; create a new client");
    }

    /** See {@link dev.interlock.Interlock#close()}. */
    void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        arbiters.all().forEach(Arbiter::close);
        awaitReleases();
        // What ends now waits for its threads; an interrupt would cut that short.
        boolean interrupted = Thread.interrupted();
        supervisor.stop();
        pendingReleases.close();
        store.close();
        callbacks.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitReleases() {
        long until = now() + config.closeTimeout().toNanos();
        if (!pendingReleases.awaitAnswers(until)) {
            LOG.log(
                    Level.INFO,
                    "Closing without the store's confirmation of all releases; what is left ends with its lease");
        }
    }
}
