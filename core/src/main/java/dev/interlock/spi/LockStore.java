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
 * A store of claims: all that Interlock needs of Redis, a database, or a map.
 *
 * <p><b>Contract of every verb.</b> It never blocks, except in {@link #lend}, and never throws: a failure completes the
 * stage exceptionally. It is idempotent for a claim or a command: repeating a request after a lost answer does no harm.
 * It has no deadline of its own: the engine stops waiting and cancels the returned stage's
 * {@code toCompletableFuture()}; from then on the store should not send the request if it has not done so yet. A store
 * that queues requests, or has to connect first, answers with a {@link Withdrawable}, which says whether an acquire
 * that the engine gives up was sent. Stages may complete on the store's own threads; the engine does not block them.
 * Only the store's clock measures time in the store.
 *
 * <p>Creating a store does no I/O; the first verb connects. A problem of set-up (a wrong password, a missing right)
 * fails the stage with an exception whose message names it, a server that cannot be reached with the client's
 * exception. {@link StoreRefusal} and {@link UnsupportedOperationException} are final, for example for a name that is
 * in use as another kind of lock: the engine does not ask again.
 *
 * <p>Implementations are thread-safe. Every one inherits the contract suite of {@code interlock-testkit}.
 */
@SuppressWarnings("exports")
public interface LockStore extends AutoCloseable {

    /**
     * Requests the claim. It is granted if this very claim holds the name already, or if the rule of its {@link Mode}
     * allows it; its lease then counts from now. A store may reserve a free name for a moment for the waiting claim
     * whose turn it is. Otherwise the claim is busy. If {@link Claim#waited()} is set, the store then lists it as
     * waiting, and whatever ends a claim wakes the waiting claims that can be granted then, the longest waiting first.
     * A store that cannot wake this client yet may leave the claim out of the list; it then lets the claim ask again
     * soon, and wakes it when it can.
     *
     * <p>A claim that is in order keeps its place in the list when it is woken and when it asks again. It loses its
     * place only by a release or by not asking for some seconds. A dead claim keeps others waiting that long, and a
     * busy answer lets a claim ask more often than that.
     *
     * <p>A claim that is in order and waits may be granted by the release of the claim before it, for as long as it
     * would have kept its place. A wake notifies its client, and the claim is found to be granted when it asks again.
     *
     * <p>The engine sends no claim that needs a capability which is not among {@link #capabilities()}.
     */
    CompletionStage<Attempt> acquire(Claim claim);

    /**
     * Executes the command: changes the name, or notifies those who hold it, by the rule of its {@link Command.Action}.
     * Wakes the waiting claims that can be granted then, as the end of a claim does. Repeating the command does nothing
     * more, and has the same answer.
     *
     * <p>The engine sends no command that needs a capability which is not among {@link #capabilities()}.
     *
     * @return whether it was executed, now or by an earlier request; false if its rule refuses it
     */
    CompletionStage<Boolean> execute(Command command);

    /**
     * Ends the claim, whether it is held or only listed as waiting, and wakes the waiting claims whose turn it is then.
     * That is also done if the claim was not held: it may have been woken before, and the wake would be lost if it
     * gives up. A claim that {@link Claim#lapses() lapses} is not ended: another one stays in its place, see
     * {@link Claim#lapsing}.
     *
     * @return true if the claim was held, or has been left to lapse and has not lapsed yet; false if not (it may have
     *     been listed as waiting). It is gone afterwards in any case, for ever: a claim of this owner is never made
     *     again after its release
     */
    CompletionStage<Boolean> release(Claim claim);

    /**
     * Sets the lease of each claim to its {@link Claim#lease()} from now, in one round trip for each node. Claims on
     * nodes that did not answer are missing in the result; the stage fails only if no node answered.
     */
    CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims);

    /** Reads who holds the name and who waits for it. */
    CompletionStage<LockStatus> inspect(LockId id);

    /**
     * Sets the listener for wakes. A wake is a hint that a name may be free, or that somebody requests a name that a
     * claim holds; it proves nothing. Called at most once, before the first acquire. The listener does not block. A
     * store that cannot wake ignores it, and answers a busy acquire with a short {@link Attempt.Busy#retryAfter()}.
     */
    void onWake(Consumer<Wake> listener);

    /**
     * The capabilities of this store, beside the plain lock that every store has: by default all but
     * {@link Capability#RETENTION}, and {@link Capability#LISTING} only if it implements {@link LockCatalog}. The
     * engine asks once, before the first verb, and refuses the rest with an {@link UnsupportedOperationException}
     * before anything is sent. Does no I/O. A store in front of another returns what that one has.
     */
    default Set<Capability> capabilities() {
        Set<Capability> capabilities = EnumSet.complementOf(EnumSet.of(Capability.RETENTION));
        if (!(this instanceof LockCatalog)) {
            capabilities.remove(Capability.LISTING);
        }
        return capabilities;
    }

    /**
     * Whether an acquire that is called after a release of the same name is executed after it, unless one of them fails
     * or has to be sent again. The engine then sends the acquire without waiting for the answer to the release. If the
     * claim is busy all the same, it asks once more when the release is answered. False by default.
     */
    default boolean keepsOrder() {
        return false;
    }

    /**
     * Whether a verb has failed in this way because the server has answered, with a refusal of its own: a missing
     * right, a full disk, an entry that is not as this version writes it. Asking again at once would bring the same, so
     * a client that closes does not wait for it. A connection that broke, or could not be made, is no refusal. False by
     * default.
     */
    default boolean isRefusal(Throwable failure) {
        return false;
    }

    /**
     * The longest time after which a waiting claim asks again without a wake, unless the application sets it. It weighs
     * the cost of a lost wake against the load of all that wait. 1 s by default.
     */
    default Duration pollCap() {
        return Duration.ofSeconds(1);
    }

    /**
     * Whether a request that is called for now is written at once. Until then the lack of an answer is no silence: to
     * load classes, connect and authenticate may take longer than a request. A store that is false here bounds that
     * time by itself, and fails the requests that wait for it, with what could not be reached and within which time.
     * Takes no time, and does no I/O. True by default.
     */
    default boolean isConnected() {
        return true;
    }

    /**
     * Called on a thread that is about to wait for answers of this store, before anything is sent. A store on an
     * application's own client refuses the thread on which that client delivers the answers, since it would wait for
     * itself. Does nothing by default.
     *
     * @throws IllegalStateException if this thread must not wait; the message says what to do
     */
    default void ensureMayWait() {}

    /**
     * Calls {@code verb}, which sends one verb of this store, for a caller that does nothing but wait for the answer. A
     * store whose client blocks may run the verb on the calling thread, which saves two switches of threads. It does so
     * only if no other verb has to run before, and if a silent server cannot hold the caller for longer than
     * {@code patience}. By default the verb is sent as usual.
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
     * Closes the connections that the store opened itself, without waiting for a server that is silent. Verbs that are
     * called afterwards fail. Idempotent.
     */
    @Override
    void close();
}
