package dev.interlock.engine;

import dev.interlock.LockStatus;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Renewal;
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

    private final LockStore store;
    private final Set<Capability> capabilities;
    private final EngineClock clock;
    private final Timeouts timeouts;
    private final Observers observers;

    StoreClient(LockStore store, EngineClock clock, Timeouts timeouts, Observers observers) {
        this.store = store;
        this.capabilities = store.capabilities();
        this.clock = clock;
        this.timeouts = timeouts;
        this.observers = observers;
    }

    EngineClock clock() {
        return clock;
    }

    Timeouts timeouts() {
        return timeouts;
    }

    // ---- capabilities

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

    /** See {@link LockStore#keepsOrder}. */
    boolean keepsOrder() {
        return store.keepsOrder();
    }

    /** See {@link LockStore#ensureMayWait}. */
    void ensureMayWait() {
        store.ensureMayWait();
    }

    /** @param lent whether the calling thread waits for the reply anyway, and so may be kept by the store */
    CompletableFuture<Attempt> acquire(Claim claim, boolean lent) {
        return ask(() -> store.acquire(claim), lent);
    }

    /** @param lent as for {@link #acquire} */
    CompletableFuture<Boolean> release(Claim claim, boolean lent) {
        return ask(() -> store.release(claim), lent);
    }

    private <T> CompletableFuture<T> ask(Supplier<CompletionStage<T>> verb, boolean lent) {
        return guarded(lent ? () -> store.lend(Duration.ofNanos(timeouts.attemptNanos()), verb) : verb);
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
                        "renew lock '" + claim.id().name() + "'")
                .get(claim);
        if (answer == null) {
            throw new StoreUnavailableException(
                    "The store did not say whether lock '" + claim.id().name() + "' was renewed", null);
        }
        return answer;
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
        } else {
            timeouts.failed();
        }
    }

    /** Waits for a reply, for a bounded time. Ignores interrupts, and sets the flag again. */
    <T> T await(CompletableFuture<T> future, long timeoutNanos, String what) {
        long until = clock.now() + timeoutNanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(Math.max(0, until - clock.now()), TimeUnit.NANOSECONDS);
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
            Throwable cause = Objects.requireNonNull(LockStore.causeOf(e));
            Supplier<RuntimeException> refusal = permanentRefusal(cause);
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

    /** The exception for a caller that has had no reply from the store. */
    StoreUnavailableException silence(LockId id, long startNanos, @Nullable Throwable lastFailure) {
        long waitedMillis = TimeUnit.NANOSECONDS.toMillis(clock.now() - startNanos);
        Throwable cause = LockStore.causeOf(lastFailure);
        return new StoreUnavailableException(
                "The store did not answer for " + waitedMillis + " ms: lock '" + id.name() + "' not acquired"
                        + (cause == null ? "" : "; last failure: " + messageOf(cause)),
                cause);
    }

    private static String messageOf(Throwable e) {
        String message = e.getMessage();
        return message == null || message.isBlank() ? e.getClass().getSimpleName() : message;
    }

    /**
     * Makes exceptions, one for each caller, if the store says no for good, so that asking again would bring the same
     * reply; null if the failure may pass.
     */
    static @Nullable Supplier<RuntimeException> permanentRefusal(@Nullable Throwable failure) {
        if (failure instanceof UnsupportedOperationException) {
            return () -> new UnsupportedOperationException(failure.getMessage(), failure);
        }
        if (failure instanceof IllegalStateException) {
            return () -> new IllegalStateException(failure.getMessage(), failure);
        }
        return null;
    }
}
