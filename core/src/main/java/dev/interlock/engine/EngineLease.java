package dev.interlock.engine;

import dev.interlock.Lease;
import dev.interlock.LeaseOrigin;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.WorkLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * One caller's hold on a claim: number {@code index} of its hand-overs.
 *
 * <p>{@link #end} is written once, by the arbiter under its monitor; readers need no lock. The arbiter's monitor guards
 * the callbacks, and whether a revocation was requested.
 */
final class EngineLease extends Outcome implements WorkLease {

    /** The arbiter that granted the lease, and knows whether it still counts. Thread-safe. */
    interface Issuer extends Renewals.Listener {

        /** Instead of a number of permits: the lease is over. */
        int OVER = Integer.MIN_VALUE;

        /** The holder lets go. */
        ReleaseDecision release(EngineLease released);

        /** The holder leaves the claim to lapse. */
        ReleaseDecision lapse(EngineLease left);

        /** Whether the lease may still be relied upon; ends it if its time is over. */
        boolean check(EngineLease checked);

        /** The claim is to stay with this lease; returns whether the lease has not ended. */
        boolean keep(EngineLease kept);

        /**
         * The lease of permits is to give so many of them back. Returns how many it keeps; less than zero if it has not
         * so many, and keeps all; {@link #OVER} if it is over.
         */
        int reduce(EngineLease reduced, int permits);

        /** The lease is to last at least {@code wanted}; null if it is over. */
        @Nullable
        Extension extend(EngineLease extended, Duration wanted);

        /** Code of the user begins to run under the lease; null if the lease is over. */
        @Nullable
        Work begin(EngineLease needed, Place place, @Nullable Consumer<@Nullable LossCause> whenOver);

        /** Adds a callback for the loss of the lease, or calls it if the lease has ended already. */
        void onLost(EngineLease watched, Runnable callback);

        /** Adds a callback for when somebody asks the holder to let go, or calls it if that has happened already. */
        void onRevocationRequested(EngineLease watched, Runnable callback);
    }

    private final EngineContext context;
    private final Issuer issuer;
    private final ClaimLife life;
    private final Deadline deadline;

    /** The end of this lease alone; that of the claim if it has none. */
    private final Deadline own;

    private final boolean early;
    private final boolean needsRenewal;
    private final boolean shared;
    private final long token;
    private final LeaseTerm term;

    /** The thread that acquired it, or has adopted it since. */
    private volatile String threadName;

    private volatile long threadId;
    private final long grantedNanos;
    private final long capNanos;
    private final @Nullable HoldEvent holdEvent;
    private final @Nullable Watch watch;

    /** Whether the end has been reported. */
    private final AtomicBoolean reported = new AtomicBoolean();

    private @Nullable List<Runnable> callbacks;

    /** Those who run code under it, and are told of the end directly. The arbiter's monitor guards them. */
    private @Nullable List<Consumer<@Nullable LossCause>> guards;

    /** All code that runs under it on any threads: it ends with the lease. The arbiter's monitor guards it. */
    private @Nullable Work anywhere;

    /** Callbacks for a revocation request, and whether there has been one. */
    private @Nullable List<Runnable> revocations;

    private boolean asked;

    /** Whether the claim stays with this lease, as its id is known. */
    private volatile boolean kept;

    private volatile @Nullable End end;

    /** How it ended: the cause of a loss, or null for a release; when. */
    private static final class End {
        final @Nullable LossCause cause;
        final long atNanos;

        End(@Nullable LossCause cause, long atNanos) {
            this.cause = cause;
            this.atNanos = atNanos;
        }
    }

    EngineLease(
            EngineContext context, Issuer issuer, ClaimLife life, Deadline own, int index, Waiter caller, long now) {
        this.context = context;
        this.issuer = issuer;
        this.life = life;
        this.deadline = life.deadline();
        this.own = own;
        this.token = life.fence() * Attempt.TOKENS_PER_FENCE + index;
        this.term = caller.term();
        this.threadName = caller.threadName();
        this.threadId = caller.threadId();
        this.watch = caller.watch();
        this.early = caller.options().releasesEarly();
        this.shared = caller.isShared();
        this.needsRenewal = term.isRenewing() || own.nanos() > deadline.nanos();
        this.grantedNanos = now;
        this.capNanos = term.maxHold().map(maxHold -> now + maxHold.toNanos()).orElse(EngineClock.NEVER);
        // Until the recorder is used its event classes are not even loaded: their first use sets it up, which takes
        // tens of milliseconds and would delay the start of every short command.
        this.holdEvent = FlightRecorder.isInitialized() ? HoldEvent.begin(name(), token) : null;
    }

    /** The name for messages. */
    private String printable() {
        return life.claim().id().printable();
    }

    // ---- for the caller

    @Override
    public String name() {
        return life.claim().id().name();
    }

    @Override
    public String id() {
        if (!kept) {
            if (!issuer.keep(this)) {
                throw endedException();
            }
            kept = true;
        }
        return life.claim().owner().value();
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public boolean isValid() {
        long now = context.now();
        return end == null && !isOver(now) && !deadline.passed(now);
    }

    @Override
    public Duration remaining() {
        return isValid() ? Duration.ofNanos(Math.max(0, endNanos() - context.now())) : Duration.ZERO;
    }

    @Override
    public void ensureValid() {
        if (isValid() || issuer.check(this)) {
            return;
        }
        throw endedException();
    }

    /**
     * Checks the lease for a caller that releases one of several holds.
     *
     * @throws LockLostException if the lease was lost; not if it was released
     */
    void ensureNotLost() {
        if (isLost()) {
            throw lostException();
        }
    }

    /** Whether it is over, but was not released. */
    boolean isLost() {
        if (isValid() || issuer.check(this)) {
            return false;
        }
        End how = end;
        return how == null || how.cause != null;
    }

    /** The exception for a caller that relies on a lease which is over. */
    RuntimeException endedException() {
        End how = end;
        return how != null && how.cause == null
                ? new IllegalStateException("The lease of lock '" + printable() + "' was released before: token="
                        + token + "; acquire a new one")
                : lostException();
    }

    @Override
    public void extend(Duration length) {
        LeaseTerm.fixed(length);
        context.store().ensureMayWait();
        ensureValid();
        try {
            Extension extension = extension(length);
            if (extension == null) {
                throw endedException();
            }
            send(extension, length);
        } catch (StoreUnavailableException e) {
            throw new StoreUnavailableException(
                    "Lock '" + printable() + "' could not be extended by " + length
                            + "; its lease is as long as before",
                    e);
        }
        ensureValid();
    }

    /** The renewal to send, when no other request that sets the lease is under way; null if the lease is over. */
    private @Nullable Extension extension(Duration length) {
        long until = context.now() + context.timeouts().attemptNanos();
        while (true) {
            Extension next = issuer.extend(this, length);
            CompletableFuture<Void> before = next == null ? null : next.before;
            if (before == null) {
                return next;
            }
            // A copy: a wait that ends early cancels its own future only.
            context.store()
                    .await(before.copy(), Math.max(0, until - context.now()), "renew lock '" + printable() + "'");
        }
    }

    private void send(Extension extension, Duration length) {
        // The watchdog does not renew the lease before the reply: that must not take all of the remaining time.
        long patience = term.isRenewing()
                ? context.timeouts().renewalNanos(term.length(), 0)
                : context.timeouts().attemptNanos();
        Renewal answer = null;
        StoreUnavailableException failure = null;
        try {
            answer = context.store().renewNow(life.inStore(extension.renewal), patience);
        } catch (StoreUnavailableException e) {
            failure = e;
            throw e;
        } catch (Throwable e) {
            failure = StoreClient.notRenewed("lock '" + printable() + "'", e, context.now() - extension.atNanos);
            throw e;
        } finally {
            issuer.onRenewalReply(life, answer, failure, extension.renewal.lease(), extension.atNanos);
        }
        if (own != deadline) {
            own.move(Deadline.endOf(extension.atNanos, length), context.now());
        }
    }

    /**
     * Gives so many of its permits up in this process, unless that is all of them.
     *
     * @return how many it keeps
     * @throws IllegalArgumentException if it does not have so many
     */
    int reduce(int permits) {
        context.store().ensureMayWait();
        ensureValid();
        int rest = permits < 1 ? -1 : issuer.reduce(this, permits);
        if (rest == Issuer.OVER) {
            throw endedException();
        }
        if (rest < 0) {
            throw new IllegalArgumentException("A lease can give back from 1 to all of its permits: permits=" + permits
                    + ", lease=" + this + ", has=" + life.claim().mode());
        }
        return rest;
    }

    @Override
    public @Nullable Work begin(Place place, @Nullable Consumer<@Nullable LossCause> whenOver) {
        return issuer.begin(this, place, whenOver);
    }

    @Override
    public void onLost(Consumer<LossCause> callback) {
        issuer.onLost(this, () -> context.callbacks().run(() -> {
            End how = end;
            if (how != null && how.cause != null) {
                callback.accept(how.cause);
            }
        }));
    }

    @Override
    public void onRevocationRequested(Runnable callback) {
        issuer.onRevocationRequested(this, () -> context.callbacks().run(() -> {
            if (end == null) {
                callback.run();
            }
        }));
    }

    @Override
    public ReleaseOutcome release() {
        return await(end(0, true));
    }

    @Override
    public ReleaseOutcome lapse(Duration after) {
        return await(end(leftUntil(after), true));
    }

    private ReleaseOutcome await(CompletableFuture<ReleaseOutcome> ended) {
        ReleaseOutcome outcome = context.releases().await(ended);
        finished(outcome);
        return outcome;
    }

    @Override
    public CompletionStage<ReleaseOutcome> releaseAsync() {
        return stage(end(0, false));
    }

    @Override
    public CompletionStage<ReleaseOutcome> lapseAsync(Duration after) {
        return stage(end(leftUntil(after), false));
    }

    private CompletionStage<ReleaseOutcome> stage(CompletableFuture<ReleaseOutcome> outcome) {
        CallFuture<ReleaseOutcome> future = new CallFuture<>(context.callbacks(), CallFuture.NOTHING);
        var unused = outcome.thenAccept(known -> {
            finished(known);
            future.ready(() -> future.complete(known));
        });
        return future;
    }

    /**
     * Releases it for a caller that can do without the outcome.
     *
     * @return the outcome; {@link ReleaseOutcome#UNCONFIRMED} if the lock is released early, and it is not known yet
     */
    ReleaseOutcome letGo() {
        if (!early) {
            return release();
        }
        CompletableFuture<ReleaseOutcome> outcome = end(0, false);
        var unused = outcome.thenAccept(this::finished);
        context.releases().precede(life.claim().id(), outcome);
        return outcome.getNow(ReleaseOutcome.UNCONFIRMED);
    }

    /** Until when the claim is to be left, in the nanoseconds of the clock; 0 if it is to be released. */
    private long leftUntil(Duration after) {
        if (after.compareTo(LeaseTerm.MAX) > 0) {
            throw new IllegalArgumentException(
                    "A lock can be left to lapse after " + LeaseTerm.MAX + " at most: " + after);
        }
        if (shared) {
            throw new UnsupportedOperationException(
                    "A read lock cannot be left to lapse; hold it for that time: name=" + printable());
        }
        context.store().require(Capability.LAPSE, name());
        return after.isNegative() || after.isZero() ? 0 : context.now() + after.toNanos();
    }

    /**
     * Ends the lease here. The outcome is known in time, on any thread. A caller that waits for it lends its thread.
     *
     * @param leftUntilNanos as {@link #leftUntil} returns it
     */
    private CompletableFuture<ReleaseOutcome> end(long leftUntilNanos, boolean lends) {
        // From the decision on the lease does not count any more, and a client that closes waits for the release alone.
        boolean counted = context.isClosed();
        if (counted) {
            context.releases().deciding();
        }
        try {
            return endCounted(leftUntilNanos, lends);
        } finally {
            if (counted) {
                context.releases().decided();
            }
        }
    }

    private CompletableFuture<ReleaseOutcome> endCounted(long leftUntilNanos, boolean lends) {
        ReleaseDecision decision = leftUntilNanos > 0 ? issuer.lapse(this) : issuer.release(this);
        if (decision == ReleaseDecision.REFUSED) {
            throw new IllegalStateException("The write lock '" + printable()
                    + "' cannot be left to lapse while its thread" + " holds the read lock, too: unlock that before");
        }
        ClaimLife toRelease = decision.toRelease;
        if (toRelease != null) {
            return context.releases().release(toRelease, leftUntilNanos, lends);
        }
        ClaimLife converting = decision.converting;
        CompletableFuture<?> takenIn = converting == null ? null : converting.conversion();
        // When the client closes, a conversion that is under way is given up; a release that comes after that must not
        // wait for it.
        return takenIn == null || context.isClosed()
                ? CompletableFuture.completedFuture(decision.outcome)
                : takenIn.handle((answer, failure) -> decision.outcome);
    }

    @Override
    public void close() {
        letGo();
    }

    @Override
    public String toString() {
        return "Lease[name=" + printable() + ", token=" + token + ", term=" + term + ", valid=" + isValid() + "]";
    }

    /** Its caller has got it, and adds its callback and reports to observers. Called once, with no lock held. */
    void received(Waiter caller) {
        Optional<Consumer<Lease>> callback = caller.options().onRevocationRequested();
        if (callback.isPresent()) {
            onRevocationRequested(() -> callback.get().accept(this));
        }
        if (watch == null) {
            return;
        }
        LeaseOrigin origin = LeaseOrigin.STORE;
        if (token % Attempt.TOKENS_PER_FENCE > 0 || caller.request().writeLease() != null) {
            origin = LeaseOrigin.HAND_OVER;
        }
        watch.acquired(token, origin, grantedNanos);
    }

    /** Reports the end, once. Called with no lock held. */
    void finished(ReleaseOutcome outcome) {
        if (outcome.status() == ReleaseOutcome.Status.ALREADY_RELEASED || !reported.compareAndSet(false, true)) {
            return;
        }
        End how = end;
        LossCause cause = outcome.lossCause();
        if (cause != null && how != null && how.cause == null) {
            // Only the store's reply has shown it. Nobody else writes any more.
            end = new End(cause, isByTime(cause) ? Math.min(context.now(), endNanos()) : how.atNanos);
        }
        if (watch != null) {
            watch.ended(outcome, context.now() - grantedNanos);
        }
        if (holdEvent != null) {
            holdEvent.finish(outcome.toString());
        }
    }

    // ---- for the engine

    /** Its holder releases it. Called under the arbiter's monitor. */
    void ended(long now, DeferredActions actions) {
        end = new End(null, now);
        callbacks = null;
        revocations = null;
        endWork(null, actions);
    }

    private void endWork(@Nullable LossCause cause, DeferredActions actions) {
        if (anywhere != null) {
            context.works().over(anywhere);
            anywhere = null;
        }
        List<Consumer<@Nullable LossCause>> toTell = guards;
        guards = null;
        if (toTell != null) {
            toTell.forEach(guard -> actions.defer(() -> guard.accept(cause)));
        }
    }

    /**
     * Code begins to run under it. A lease may see any number of such pieces of code, so none of them leaves anything
     * behind but a guard. Called under the arbiter's monitor.
     *
     * @param guard to be told of the end of the lease; null if nobody has to be
     */
    Work begun(Place place, @Nullable Consumer<@Nullable LossCause> guard) {
        if (guard != null) {
            List<Consumer<@Nullable LossCause>> all = guards == null ? new ArrayList<>(1) : guards;
            all.add(guard);
            guards = all;
        }
        if (place == Place.THIS_THREAD) {
            return context.works().begin(this, place);
        }
        Work known = anywhere == null ? context.works().begin(this, place) : anywhere;
        anywhere = known;
        return known;
    }

    /** It is lost with its claim, or ends by its own bound. Called under the arbiter's monitor. */
    void lost(LossCause cause, long now, DeferredActions actions) {
        End how = new End(cause, isByTime(cause) ? Math.min(now, endNanos()) : now);
        end = how;
        endWork(cause, actions);
        List<Runnable> toCall = callbacks;
        callbacks = null;
        revocations = null;
        if (toCall != null) {
            toCall.forEach(actions::defer);
        }
        if (watch != null) {
            actions.defer(() -> watch.ended(ReleaseOutcome.lost(cause), how.atNanos - grantedNanos));
        }
    }

    /** Keeps the callback for later; returns false if it is to be called now. Called under the arbiter's monitor. */
    boolean addLossCallback(Runnable callback) {
        if (end != null) {
            return false;
        }
        callbacks = with(callback, callbacks);
        return true;
    }

    /** Somebody asks the holder to let go. Called under the arbiter's monitor. */
    void revocationRequested(DeferredActions actions) {
        asked = true;
        List<Runnable> toCall = revocations;
        revocations = null;
        if (toCall != null) {
            toCall.forEach(actions::defer);
        }
    }

    /** As {@link #addLossCallback}, for a revocation request. */
    boolean addRevocationCallback(Runnable callback) {
        if (end != null || asked) {
            return false;
        }
        revocations = with(callback, revocations);
        return true;
    }

    private static List<Runnable> with(Runnable callback, @Nullable List<Runnable> others) {
        List<Runnable> all = others == null ? new ArrayList<>(1) : others;
        all.add(callback);
        return all;
    }

    /** Whether its own bound has passed. The deadline of the claim does not count here. */
    boolean isOver(long now) {
        return now >= capNanos || (own != deadline && own.passed(now));
    }

    /** When its own bound passes. The deadline of the claim does not count here. */
    long boundNanos() {
        return own == deadline ? capNanos : Math.min(capNanos, own.nanos());
    }

    /** The earlier of its own bound and the claim's deadline. */
    long endNanos() {
        return Math.min(boundNanos(), deadline.nanos());
    }

    /** Whether the claim has to be renewed for it. */
    boolean needsRenewal() {
        return needsRenewal;
    }

    ClaimLife life() {
        return life;
    }

    /** The outcome of a release that comes after the end. */
    ReleaseOutcome outcomeOfRepeatedRelease() {
        End how = end;
        LossCause cause = how == null ? null : how.cause;
        return cause == null ? ReleaseOutcome.ALREADY_RELEASED : ReleaseOutcome.lost(cause);
    }

    LockLostException lostException() {
        End how = end;
        LossCause cause = how == null || how.cause == null ? LossCause.DELETED : how.cause;
        return lostException(cause, how == null ? context.now() : how.atNanos);
    }

    /**
     * The exception for a loss that a release found: known here before, or only from the store's reply. A lease whose
     * time ran out during the release ended then; one that somebody ended counts from when its holder let go.
     */
    LockLostException lostByRelease(LossCause cause) {
        long now = context.now();
        End how = end;
        boolean ranOut = how != null && how.cause == null && isByTime(cause);
        return lostException(cause, how == null ? now : ranOut ? Math.min(now, endNanos()) : how.atNanos);
    }

    /** Whether a lease that is lost for this cause has ended when its time was over. */
    private static boolean isByTime(LossCause cause) {
        return cause == LossCause.EXPIRED || cause == LossCause.PAUSED || cause == LossCause.STORE_UNREACHABLE;
    }

    private LockLostException lostException(LossCause cause, long atNanos) {
        long now = context.now();
        return new LockLostException(
                name(),
                life.claim().owner().value(),
                token,
                cause,
                Duration.ofNanos(now - grantedNanos),
                Duration.ofNanos(now - life.renewedNanos()),
                Duration.ofNanos(now - atNanos));
    }

    long threadId() {
        return threadId;
    }

    /** Which lock it keeps, who has acquired it, and for how long the store keeps it without a renewal. */
    String describe(long now) {
        long millis = Math.max(0, TimeUnit.NANOSECONDS.toMillis(life.endsInStoreNanos() - now));
        return "lock '" + printable() + "' (thread " + thread() + ", for at most " + millis + " ms)";
    }

    /** It is the calling thread's from now on, which has not requested it itself. */
    void adopted() {
        Thread thread = Thread.currentThread();
        threadName = thread.getName();
        threadId = thread.getId();
    }

    /** The thread that acquired it, for messages. */
    String thread() {
        return Waiter.describe(threadName, threadId);
    }

    long grantedNanos() {
        return grantedNanos;
    }
}
