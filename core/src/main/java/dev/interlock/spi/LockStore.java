package dev.interlock.spi;

import dev.interlock.LockStatus;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store of claims: the whole of what Interlock needs from Redis, a database, or a map.
 *
 * <p><b>Contract of every verb.</b> It never blocks, but for {@link #lend}, and never throws: what goes wrong completes
 * the stage exceptionally. It is idempotent for a claim: the same request again, after a lost answer, does no harm. It
 * has no deadline of its own: the engine stops waiting, completes the returned stage's {@code toCompletableFuture()}
 * with a cancellation, and from then on the store should not send the request if it has not yet. A store that keeps
 * requests in a line answers with a {@link QueuedAnswer}, which tells the engine whether an acquire that it gives up
 * was sent. Stages may complete on the store's own threads; the engine does not block them. Time in the store is
 * measured by the store's clock alone.
 *
 * <p>Creating a store does no I/O. The first verb connects. A problem of set-up (a wrong password, a missing right)
 * completes the stage with an exception whose message names it; a store that cannot be reached completes the stage with
 * the client's exception. {@link IllegalStateException} and {@link UnsupportedOperationException} say no for good: a
 * name that is in use as another kind of lock, for example. The engine does not ask again.
 *
 * <p>Implementations are thread-safe. Every one inherits the contract suite of {@code interlock-testkit}.
 */
@SuppressWarnings("exports")
public interface LockStore extends AutoCloseable {

    /**
     * Asks for the claim. Already held by this very claim, or to be granted by the rule of its {@link Mode}: granted,
     * with the lease counted anew from now; a store may keep a free name for a moment for the waiting claim whose turn
     * it is. Otherwise busy; if {@link Claim#waited()} is set, the claim is then listed as waiting, and what ends a
     * claim wakes the waiting ones that can be granted then, those that have waited longest first. A store that cannot
     * wake this client yet may leave the claim out of the list: then it lets it ask again soon, and wakes it when it
     * can.
     *
     * <p>A claim that is in order keeps its place in the list when it is woken and when it asks again, and loses it
     * only by a release or by not asking for some seconds: so long it may keep others waiting, and so often at least a
     * busy answer lets it ask.
     *
     * <p>A claim that is in order, waits and has a {@link Claim#ticket()} may be granted by the release of the one
     * before it. Its client is told so by a {@link Succession}; if that is lost, the claim finds itself granted when it
     * asks again.
     *
     * <p>The engine sends no claim that needs a capability which is not among {@link #capabilities()}.
     */
    CompletionStage<Attempt> acquire(Claim claim);

    /**
     * Ends the claim, whether it is held or only listed as waiting, and wakes a waiting client if a held one ended. A
     * claim that had been woken, and gives up instead of asking again, takes the wake along: so if the name is free
     * when a claim that was not held is released, the next waiting client is woken.
     *
     * @return true if the claim was held; false if not (it may have been listed as waiting). It is gone afterwards in
     *     any case, for ever: a claim of this owner is never made again after its release
     */
    CompletionStage<Boolean> release(Claim claim);

    /**
     * Sets the lease of each claim anew to its {@link Claim#lease()}, in one round trip for each node. Claims on nodes
     * that did not answer are missing in the result; the stage fails only if no node answered.
     */
    CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims);

    /** Who holds and who waits. */
    CompletionStage<LockStatus> inspect(LockId id);

    /**
     * Sets the one listener for wakes: a hint that a name may be free, or that a holder is asked to let go; it is proof
     * of nothing but a {@link Succession}. Called at most once, before the first acquire. The listener does not block.
     * A store that cannot wake ignores it and answers a busy acquire with a short {@link Attempt.Busy#retryAfter()}.
     */
    void onWake(Consumer<Wake> listener);

    /**
     * The capabilities of this store, beside the plain lock that every store has: by default all, but
     * {@link Capability#LISTING} only if it implements {@link LockCatalog}. The engine asks once, before the first
     * verb, and refuses the rest with an {@link UnsupportedOperationException} before anything is sent. Does no I/O. A
     * store in front of another returns what that one has.
     */
    default Set<Capability> capabilities() {
        return this instanceof LockCatalog
                ? EnumSet.allOf(Capability.class)
                : EnumSet.complementOf(EnumSet.of(Capability.LISTING));
    }

    /**
     * How long a waiter that hears of no wake sleeps at most before it asks again, unless the application has chosen:
     * what a lost wake costs, against what all who wait cost the store. 1 s, unless the store knows better.
     */
    default Duration pollCap() {
        return Duration.ofSeconds(1);
    }

    /**
     * Calls {@code verb}, which sends one verb of this store, for a caller that does nothing but wait for the answer: a
     * store whose client blocks may do the verb on the calling thread and return with the answer, and spares two
     * switches of threads. Not if it would have to wait for another verb before, nor if a store that has fallen silent
     * could keep the caller for longer than {@code patience}; then, as by default, the verb is sent as ever.
     */
    default <T> CompletionStage<T> lend(Duration patience, Supplier<CompletionStage<T>> verb) {
        return verb.get();
    }

    /**
     * The failure of a stage itself, without the {@link CompletionException} and {@link ExecutionException} around it;
     * null for null.
     */
    static @Nullable Throwable causeOf(@Nullable Throwable failure) {
        Throwable at = failure;
        while ((at instanceof CompletionException || at instanceof ExecutionException) && at.getCause() != null) {
            at = at.getCause();
        }
        return at;
    }

    /**
     * Closes connections that the store opened itself, without waiting for anything that hangs. Verbs called afterwards
     * fail. Idempotent.
     */
    @Override
    void close();
}
