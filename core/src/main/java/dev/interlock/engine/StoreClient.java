package dev.interlock.engine;

import dev.interlock.LockStatus;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Printable;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.StoreRefusal;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends the verbs of a store, waits for replies, and explains failures. Thread-safe. */
final class StoreClient {

    /** How often to look whether the store is connected now, in the time of one request. */
    static final int CONNECTING_LOOKS = 8;

    private static final String NOT_CONNECTED = "the store could not be connected to";

    private static final String NO_ANSWER = "the store did not answer";

    private final LockStore store;
    private final Set<Capability> capabilities;
    private final EngineClock clock;
    private final Timeouts timeouts;
    private final Observers observers;
    private final Outage outage;

    StoreClient(LockStore store, EngineClock clock, Timeouts timeouts, Observers observers) {
        this.store = store;
        this.capabilities = Set.copyOf(store.capabilities());
        this.clock = clock;
        this.timeouts = timeouts;
        this.observers = observers;
        this.outage = new Outage(PrefixedStore.behind(store), timeouts);
    }

    /** Whether the store is silent, for those who operate the application. */
    Outage outage() {
        return outage;
    }

    /** A reply has not come in time to a request that was sent at this moment. */
    void missed(long sentNanos, long now) {
        outage.missed(sentNanos, now);
    }

    EngineClock clock() {
        return clock;
    }

    Timeouts timeouts() {
        return timeouts;
    }

    // ---- capabilities

    Set<Capability> capabilities() {
        return capabilities;
    }

    /** The refusal of a request that needs a capability which the store lacks; null if it has it. */
    @Nullable
    UnsupportedOperationException refusal(Request request) {
        Capability needed = request.needed();
        return needed == null || capabilities.contains(needed)
                ? null
                : needed.refusal(PrefixedStore.behind(store), request.id().name());
    }

    /**
     * Checks that the store has this capability.
     *
     * @param name the lock, or what the names of those wanted begin with
     * @throws UnsupportedOperationException if it has not
     */
    void require(Capability capability, String name) {
        if (!capabilities.contains(capability)) {
            throw capability.refusal(PrefixedStore.behind(store), name);
        }
    }

    /**
     * The store's catalog.
     *
     * @throws UnsupportedOperationException if it has none
     */
    LockCatalog catalog(String prefix) {
        require(Capability.LISTING, prefix);
        if (store instanceof LockCatalog catalog) {
            return catalog;
        }
        throw Capability.LISTING.refusal(PrefixedStore.behind(store), prefix);
    }

    // ---- verbs

    /** Whether the server, or the store, has answered with a refusal. */
    boolean isRefusal(@Nullable Throwable failure) {
        Throwable cause = LockStore.causeOf(failure);
        return cause != null && (permanentRefusal(cause) != null || store.isRefusal(cause));
    }

    /** See {@link LockStore#keepsOrder}. */
    boolean keepsOrder() {
        return store.keepsOrder();
    }

    /** See {@link LockStore#isConnected}. */
    boolean isConnected() {
        return store.isConnected();
    }

    /** See {@link LockStore#ensureMayWait}. */
    void ensureMayWait() {
        store.ensureMayWait();
    }

    /** @param lent whether the calling thread waits for the reply anyway, and so may be kept by the store */
    CompletableFuture<Attempt> acquire(Claim claim, boolean lent) {
        return guarded(lendable(() -> store.acquire(claim), lent));
    }

    CompletableFuture<Boolean> execute(Command command) {
        return guarded(() -> store.execute(command));
    }

    /** @param lent as for {@link #acquire} */
    CompletableFuture<Boolean> release(Claim claim, boolean lent) {
        return guarded(lendable(() -> store.release(claim), lent));
    }

    private <T> Supplier<CompletionStage<T>> lendable(Supplier<CompletionStage<T>> verb, boolean lent) {
        return lent ? () -> store.lend(Duration.ofNanos(timeouts.attemptNanos()), verb) : verb;
    }

    CompletableFuture<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        return guarded(() -> store.renew(claims));
    }

    CompletableFuture<LockStatus> inspect(LockId id) {
        return guarded(() -> store.inspect(id));
    }

    void close() {
        store.close();
    }

    // ---- replies

    /** Renews one claim and waits. A reply that leaves the claim out counts as none. */
    Renewal renewNow(Claim claim, long timeoutNanos) {
        Renewal answer = await(
                        renew(List.of(claim)),
                        timeoutNanos,
                        "renew lock '" + claim.id().printable() + "'")
                .get(claim);
        if (answer == null) {
            throw notRenewed("lock '" + claim.id().printable() + "'", null, 0);
        }
        return answer;
    }

    /**
     * Why a renewal has failed.
     *
     * @param what which claims
     * @param failure of the request; null if its answer leaves a claim out
     * @param tookNanos how long it has taken
     */
    static StoreUnavailableException notRenewed(String what, @Nullable Throwable failure, long tookNanos) {
        Throwable cause = LockStore.causeOf(failure);
        String why = cause == null
                ? "the store answered without it: its node is silent, or others keep it locked"
                : cause instanceof CancellationException
                        ? NO_ANSWER + " within " + TimeUnit.NANOSECONDS.toMillis(tookNanos) + " ms"
                        : Printable.messageOf(cause);
        return new StoreUnavailableException("Could not renew " + what + ": " + why, cause);
    }

    /** Sends a verb. A verb must not throw; if it does, even an error of linkage, that is its reply. */
    private <T> CompletableFuture<T> guarded(Supplier<CompletionStage<T>> verb) {
        try {
            CompletableFuture<T> reply = verb.get().toCompletableFuture();
            observers.watchReply(reply);
            return reply;
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** A request has ended, with a reply or with this failure. */
    void ended(@Nullable Throwable failure, long now) {
        Throwable cause = LockStore.causeOf(failure);
        if (cause instanceof CancellationException) {
            // It was given up here, which says nothing of the store.
            return;
        }
        if (cause == null || permanentRefusal(cause) != null) {
            timeouts.heard(now);
            outage.heard(now);
        } else {
            timeouts.failed();
            outage.failed(cause, now);
        }
    }

    /**
     * Waits for a reply, for a bounded time, which begins when the store is connected. Ignores interrupts, and sets the
     * flag again.
     */
    <T> T await(CompletableFuture<T> future, long timeoutNanos, String what) {
        long begun = clock.now();
        long until = begun + timeoutNanos;
        boolean connecting = !store.isConnected();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    long left = Math.max(0, until - clock.now());
                    return future.get(
                            connecting ? Math.min(left, timeoutNanos / CONNECTING_LOOKS) : left, TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    long now = clock.now();
                    if (!connecting || now - begun >= timeouts.storeNanos()) {
                        future.cancel(false);
                        throw new StoreUnavailableException(
                                "Could not " + what + ": " + (connecting ? NOT_CONNECTED : NO_ANSWER) + " within "
                                        + TimeUnit.NANOSECONDS.toMillis(connecting ? now - begun : timeoutNanos)
                                        + " ms",
                                null);
                    }
                    connecting = !store.isConnected();
                    until = now + timeoutNanos;
                }
            }
        } catch (ExecutionException | CancellationException e) {
            Throwable cause = Objects.requireNonNull(LockStore.causeOf(e));
            Supplier<RuntimeException> refusal = permanentRefusal(cause);
            if (refusal != null) {
                throw refusal.get();
            }
            throw new StoreUnavailableException("Could not " + what + ": " + Printable.messageOf(cause), cause);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * The exception for a caller that has had no reply from the store that says how the name stands.
     *
     * @param connected whether a request was written, so that there could be a reply
     * @param silent whether the last request was not answered at all
     * @param lastFailure the last that was heard of the store; null if nothing
     */
    StoreUnavailableException silence(
            LockId id, long startNanos, boolean connected, boolean silent, @Nullable Throwable lastFailure) {
        String waited = TimeUnit.NANOSECONDS.toMillis(clock.now() - startNanos) + " ms";
        String what =
                switch (id.kind()) {
                            case LOCK, READ_WRITE -> "Could not acquire lock '";
                            case SEMAPHORE -> "Could not reach semaphore '";
                            case LATCH -> "Could not reach latch '";
                        }
                        + id.printable() + "'";
        String silence = connected ? NO_ANSWER : NOT_CONNECTED;
        Throwable cause = LockStore.causeOf(lastFailure);
        if (cause == null) {
            return new StoreUnavailableException(what + ": " + silence + " for " + waited, null);
        }
        String said = Printable.messageOf(cause);
        String why = silent ? silence + " since it last said: " + said : said;
        return new StoreUnavailableException(what + " within " + waited + ": " + why, cause);
    }

    /**
     * Makes exceptions, one for each caller, if the store says no for good, so that asking again would bring the same
     * reply; null if the failure may pass.
     */
    static @Nullable Supplier<RuntimeException> permanentRefusal(@Nullable Throwable failure) {
        if (failure instanceof UnsupportedOperationException) {
            return () -> new UnsupportedOperationException(Printable.messageOf(failure), failure);
        }
        if (failure instanceof StoreRefusal) {
            return () -> new IllegalStateException(Printable.messageOf(failure), failure);
        }
        if (failure instanceof LinkageError) {
            // The JVM does not try again to load what it once could not.
            return () -> new IllegalStateException(
                    "A class that the store needs cannot be loaded: add its jar, or give all jars of the driver one"
                            + " version: " + Printable.messageOf(failure),
                    failure);
        }
        return null;
    }
}
