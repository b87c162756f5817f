package dev.interlock.annotation.spi;

import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How one call of an asynchronous method gets its lease, and where that goes afterwards: back to the store, or to the
 * transaction of the caller, which keeps it until it is completed. Immutable.
 *
 * <p>Whoever has it looks at the outcome of {@link #future}, and then calls {@link #end} once if there is a lease, and
 * else {@link #fail}.
 */
final class Grip {

    private final LockedOperation operation;
    private final CompletableFuture<Optional<Lease>> future;
    private final @Nullable CallerTransaction transaction;

    /** Null without a transaction. */
    private final @Nullable KeptLease kept;

    private final KeptLease.Turn turn;

    private Grip(
            LockedOperation operation,
            @Nullable CallerTransaction transaction,
            @Nullable KeptLease kept,
            KeptLease.Turn turn,
            CompletableFuture<Optional<Lease>> future) {
        this.operation = operation;
        this.transaction = transaction;
        this.kept = kept;
        this.turn = turn;
        this.future = future;
    }

    /** Begins to acquire. */
    static Grip take(
            Locking locking, LockedOperation operation, List<String> names, @Nullable CallerTransaction transaction) {
        KeptLease.Turn turn =
                new KeptLease.Turn(() -> locking.acquireAsync(operation, names).toCompletableFuture());
        if (transaction == null) {
            return new Grip(operation, null, null, turn, turn.ask());
        }
        KeptLease kept = transaction.keep(
                locking.client(operation), operation.annotation().kind(), names, operation.where());
        return new Grip(operation, transaction, kept, turn, kept.take(turn, operation.waitLimit()));
    }

    /** The lease; empty if the wait ended without it. Whoever ends it first gives up. */
    CompletableFuture<Optional<Lease>> future() {
        return future;
    }

    /** The body begins. */
    void begin(Lease lease) {
        if (transaction != null) {
            transaction.watch(lease, operation.annotation().onLost());
        }
    }

    /** No lease has come. */
    void fail() {
        if (kept != null) {
            kept.fail(turn);
        }
    }

    /**
     * The call has ended, or does not begin.
     *
     * @param leftToLapse for how long the lock is to be left from the moment when it is released
     * @return the release; null if that is left to the transaction
     */
    @Nullable
    CompletionStage<ReleaseOutcome> end(Lease lease, Supplier<Duration> leftToLapse) {
        return kept == null ? LeaseEnd.quietly(lease, leftToLapse.get()) : kept.end(turn, lease, leftToLapse);
    }
}
