package dev.interlock.engine;

import dev.interlock.LossCause;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Tether;
import dev.interlock.spi.Withdrawable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The life of one claim: a state machine without threads, clock or I/O. Time is an argument, in nanoseconds of one
 * monotonic clock.
 *
 * <pre>
 *   NEW       -> ASKING     the acquire is sent
 *   ASKING    -> HELD       granted
 *             -> WAITING    busy, and the store lists the claim
 *             -> RELEASED   busy, and the store keeps nothing of the claim
 *             -> RESOLVING  no reply, one that came too late, or nobody waits for it any more
 *   WAITING   -> ASKING     a wake arrives, or the poll is due
 *             -> RELEASING  nobody waits for it any more
 *   HELD      -> AT_RISK    a renewal failed
 *             -> RELEASING  the last holder lets go
 *             -> LOST       the store says so, or the deadline passes
 *   AT_RISK   -> HELD       a renewal worked
 *             -> RELEASING  as HELD
 *             -> LOST       as HELD
 *   RELEASING -> RELEASED   the store confirms that it was held
 *             -> RESOLVING  the store does not confirm the release in time
 *             -> LOST       the store says that it was not there
 * </pre>
 *
 * <p>The deadline of a lease counts from the moment its request was <em>sent</em>: the store cannot have started to
 * count earlier, see {@link Deadline#endOf}. An answer that comes after the deadline it could have moved is too late
 * and moves nothing.
 *
 * <p>Not thread-safe. A {@link Guard} guards it: the monitor of its arbiter; and after a release whose outcome somebody
 * waits for, that of the {@link PendingRelease}. It passes from one to the other by {@link #detach} under the first and
 * {@link #attach} by the second; every move asserts that its guard is held. Any thread may read {@link #deadline()},
 * {@link #claim()} and the times behind exceptions.
 */
final class ClaimLife {

    /** Has the monitor under which the state may change. */
    interface Guard {
        boolean isHeldByCurrentThread();
    }

    /** The guard between {@link #detach} and {@link #attach}: nobody may move the claim. */
    private static final Guard NOBODY = () -> false;

    private static final CompletableFuture<Void> SENT = CompletableFuture.completedFuture(null);

    private Guard guard;
    private volatile Claim claim;
    private volatile Deadline deadline = new Deadline(1);
    private volatile long grantedNanos;
    private volatile long renewedNanos;

    /** For how long the store keeps the name closed after the lease. */
    private final Duration delay;

    private final RenewalPlan renewal = new RenewalPlan();
    private ClaimState state = ClaimState.NEW;
    private long fence;

    private boolean listed;

    /** Whether the claim is left to end in the store by itself. */
    private boolean leftClosed;

    /** Whether the watchdog renewed it until it was released. */
    private boolean renewedUntilRelease;

    private long sentNanos;

    /** When the attempt has begun, which is not before the store is connected; as of the last look. */
    private long attemptNanos;

    /** Whether the store was connecting when the request was called for, and at the last look. */
    private boolean connecting;

    /** When the tether ends, as of the last check. */
    private long tetherEndNanos = EngineClock.NEVER;

    private long endsInStoreNanos;
    private @Nullable LossCause lossCause;
    private @Nullable ClaimLife replaced;
    private volatile @Nullable CompletableFuture<?> inFlight;

    /** Completes when {@link #inFlight} is known, of an acquire that a store was asked for which was not connected. */
    private volatile CompletableFuture<Void> sending = SENT;

    private volatile @Nullable CompletableFuture<?> conversion;
    private volatile boolean conversionAbandoned;

    /** Whether the renewal under way has had its time without its turn. The supervisor's thread sets it. */
    private volatile boolean renewalKeptWaiting;

    /** @param delay for how long the store keeps the name closed after the lease, unless the claim is released */
    ClaimLife(Claim claim, Duration delay, @Nullable ClaimLife replaced, Guard guard) {
        this.guard = guard;
        this.delay = delay;
        this.claim = replaced == null ? claim : claim.replacing(replaced.claim().owner());
        this.replaced = replaced;
    }

    /** The arbiter drops a claim that is {@link #releasing}, and does not use it again. */
    void detach() {
        assert guard.isHeldByCurrentThread() && state == ClaimState.RELEASING : this;
        guard = NOBODY;
    }

    /** From here on {@code next} guards the claim, which the arbiter has detached. */
    void attach(Guard next) {
        assert guard == NOBODY : this;
        guard = next;
    }

    /** The claim as the store gets it: it lasts there for the delay longer than here. */
    Claim inStore(Claim toSend) {
        return delay.isZero() ? toSend : toSend.withLease(toSend.lease().plus(delay));
    }

    /** For how long the store keeps the name closed after the lease. */
    Duration delay() {
        return delay;
    }

    /**
     * A lease on it was lost. If there is a delay, nothing of it is released from now on: late writes of that holder
     * are to arrive while the name is closed.
     */
    void leaseLost() {
        leftClosed = !delay.isZero();
    }

    /** Whether it is left to end in the store by itself. */
    boolean isLeftClosed() {
        return leftClosed;
    }

    /** An acquire is sent: the first one, or another after a busy reply. */
    void ask(Claim toSend, long nowNanos) {
        transition(ClaimState.ASKING, "ask");
        claim = toSend;
        sent(nowNanos);
        sentNanos = nowNanos;
        attemptNanos = nowNanos;
        connecting = false;
        sending = SENT;
    }

    /** The request, which is about to be sent, cannot be written before the store is connected. */
    void connecting() {
        connecting = true;
        sending = new CompletableFuture<>();
    }

    /** As long as the store was connecting, the attempt begins now. */
    void lookedAt(boolean connected, long nowNanos) {
        if (connecting) {
            attemptNanos = nowNanos;
            connecting = !connected;
        }
    }

    boolean isConnecting() {
        return connecting;
    }

    /** When the attempt has begun. */
    long attemptNanos() {
        return attemptNanos;
    }

    /**
     * The store granted it.
     *
     * @return false if the reply came too late to rely on; the claim must then be released
     */
    boolean granted(long newFence, Tether tether, long nowNanos) {
        long end = Deadline.endOf(sentNanos, claim.lease());
        Tether shorter = shortened(tether);
        if (nowNanos >= end || shorter.leftNanos() <= 0) {
            transition(ClaimState.RESOLVING, "granted too late");
            return false;
        }
        transition(ClaimState.HELD, "granted");
        held(newFence, new Deadline(end, shorter), nowNanos);
        return true;
    }

    /** The store may open the name when the tether ends: here the lease has to end by the delay earlier. */
    private Tether shortened(Tether tether) {
        long nanos = delay.toNanos();
        return nanos == 0 || tether == Tether.NONE ? tether : () -> tether.leftNanos() - nanos;
    }

    /**
     * The longest delay that a claim with this tether can have. It depends on the length of the session, and not on
     * what is left of it: the same options get the same answer. The other half is for the lease: a session has to be
     * proved before that is over, for which its store takes a third of the length.
     */
    static long longestDelayNanos(Tether tether) {
        return tether.lengthNanos() / 2;
    }

    private void held(long newFence, Deadline end, long nowNanos) {
        fence = newFence;
        replaced = null;
        deadline = end;
        tetherEndNanos = deadline.tetherEndNanos(nowNanos);
        grantedNanos = nowNanos;
        renewedNanos = sentNanos;
    }

    /** The store replied busy; {@code inLine} if it has listed the claim. */
    void busy(boolean inLine) {
        transition(inLine ? ClaimState.WAITING : ClaimState.RELEASED, "busy");
        listed = inLine;
        if (replaced != null) {
            replaced = null;
            claim = claim.replacing(null);
        }
    }

    /**
     * The store replied busy, perhaps because of a release that it executes later.
     *
     * @return whether the claim is to ask again after that; false if nobody waits for it any more
     */
    boolean overtook() {
        assert guard.isHeldByCurrentThread() : this;
        listed |= claim.waited() != null;
        return state == ClaimState.ASKING;
    }

    /** Whether the store has listed the claim. */
    boolean isListed() {
        return listed;
    }

    /** There was no reply, or none that can be understood: the store may hold it or not. */
    void unknown(String reason) {
        transition(ClaimState.RESOLVING, reason);
    }

    /** Sets whether the watchdog renews it from now on; at each hand-over, by the term of the new holder. */
    void renewing(boolean on) {
        renewal.set(on, plannedRenewalNanos());
    }

    /** From now on its lease is at least this long; the next renewal sets it. */
    void lengthen(Duration length) {
        if (length.compareTo(claim.lease()) > 0) {
            claim = claim.withLease(length);
            renewing(renewal.isOn());
        }
    }

    /** From now on it counts as shared, whatever the store says. */
    void share() {
        claim = claim.inMode(Mode.shared());
    }

    /** From now on it counts as one of fewer permits, whatever the store says. */
    void reduce(Mode.Permits rest) {
        claim = claim.inMode(rest);
    }

    /**
     * A holder has added a callback for revocation requests: the claim is renewed now, whatever its term, so that the
     * store listens for them, too. Does nothing if that has been done.
     */
    void announce(long nowNanos) {
        renewal.announce(nowNanos);
    }

    /** The store says that the claim may be over: it is renewed now, whatever its term, which tells. */
    void look(long nowNanos) {
        renewal.look(nowNanos);
    }

    boolean isRenewing() {
        return renewal.isOn();
    }

    /**
     * When the next renewal is planned: a third of the lease after it was last set, even if it was extended for longer,
     * so that a loss is noticed in time.
     */
    long plannedRenewalNanos() {
        long length = claim.lease().toNanos();
        return Math.min(deadline.nanos() - length * 2 / 3, renewedNanos + length / 3);
    }

    /**
     * The length that a renewal has to request so that the lease lasts at least {@code wanted}, and no shorter than the
     * local deadline already says.
     */
    Duration atLeast(Duration wanted, long nowNanos) {
        long kept = Deadline.lengthFor(Math.max(0, deadline.nanos() - nowNanos));
        return wanted.toNanos() >= kept ? wanted : Duration.ofNanos(kept);
    }

    /** The store keeps the renewal under way in its line for longer than the answer may take. */
    void renewalKeptWaiting() {
        renewalKeptWaiting = true;
    }

    /** A renewal that requests {@code length} is sent. */
    void renewalSent(Duration length, long nowNanos) {
        renewalKeptWaiting = false;
        renewal.sent(nowNanos);
        long end = nowNanos + length.toNanos() + delay.toNanos();
        endsInStoreNanos = Math.max(endsInStoreNanos, end);
    }

    /**
     * The store answered a renewal that was sent at {@code sentAtNanos} and requested {@code length}.
     *
     * @return false if the claim is lost, by the reply or because it came too late
     */
    boolean renewalAnswered(Renewal answer, Duration length, long sentAtNanos, long nowNanos) {
        renewalKeptWaiting = false;
        renewal.ended();
        if (answer != Renewal.HELD) {
            lose(causeOfAbsence(answer, nowNanos));
            return false;
        }
        if (!deadline.move(Deadline.endOf(sentAtNanos, length), nowNanos)) {
            lose(causeOfPassing());
            return false;
        }
        renewedNanos = sentAtNanos;
        renewal.succeeded(plannedRenewalNanos());
        if (state == ClaimState.AT_RISK) {
            transition(ClaimState.HELD, "renewed");
        }
        return true;
    }

    /** A renewal failed or was not answered in time. Returns when the next attempt makes sense. */
    long renewalFailed(long nowNanos) {
        renewal.ended();
        if (deadline.passed(nowNanos)) {
            // Noticed too late to say anything of the store: a process that runs gives a request up before that.
            return EngineClock.NEVER;
        }
        long earliest = renewal.failed(claim.lease().toNanos(), plannedRenewalNanos(), nowNanos);
        if (state == ClaimState.HELD) {
            transition(ClaimState.AT_RISK, "renewal failed");
        }
        return earliest;
    }

    /** Ends it if its deadline has passed. */
    boolean expire(long nowNanos) {
        if (state.isHeld() && deadline.passed(nowNanos)) {
            lose(causeOfPassing());
            return true;
        }
        tetherEndNanos = deadline.tetherEndNanos(nowNanos);
        return false;
    }

    /** Ends it for this cause. */
    void lose(LossCause cause) {
        transition(ClaimState.LOST, cause.name());
        lossCause = cause;
        renewal.over();
    }

    /**
     * The last holder, or the last waiter, lets go. Called before the release is sent, so that no renewal can follow
     * it.
     */
    void releasing() {
        releasing(false);
    }

    /** @param renewed whether the watchdog renewed it for that holder */
    void releasing(boolean renewed) {
        transition(ClaimState.RELEASING, "release");
        renewedUntilRelease = renewed;
        renewal.over();
    }

    /** The store has confirmed that it is gone. */
    void released() {
        transition(ClaimState.RELEASED, "confirmed");
    }

    /** Whether a request that sets the lease is under way. The next one has to wait for its end. */
    boolean isRenewalUnderWay() {
        return renewal.isUnderWay();
    }

    /** How many renewals have failed since the last success. */
    int renewalFailures() {
        return renewal.failures();
    }

    /** Completes when the request under way, or the claim, has ended. For waiting only: no stage may depend on it. */
    CompletableFuture<Void> renewalEnd() {
        return renewal.end();
    }

    /** Whether a renewal should be sent at this moment. */
    boolean wantsRenewal(long nowNanos, long slackNanos) {
        return state.isHeld() && renewal.isDue(nowNanos, slackNanos);
    }

    /** When a held claim has to be looked at: for a renewal, or for its end. */
    long dueNanos() {
        return Math.min(renewal.dueNanos(), Math.min(deadline.nanos(), tetherEndNanos));
    }

    ClaimState state() {
        return state;
    }

    Claim claim() {
        return claim;
    }

    Deadline deadline() {
        return deadline;
    }

    long fence() {
        return fence;
    }

    long sentNanos() {
        return sentNanos;
    }

    long grantedNanos() {
        return grantedNanos;
    }

    long renewedNanos() {
        return renewedNanos;
    }

    /** Until when the store may hold it, whatever became of the requests. */
    long endsInStoreNanos() {
        return endsInStoreNanos;
    }

    /** The earlier claim of this client that this one was to replace, until the store has answered. */
    @Nullable
    ClaimLife replaced() {
        return replaced;
    }

    /** Why it was lost; null if it was not. */
    @Nullable
    LossCause lossCause() {
        return lossCause;
    }

    /** Sets the acquire under way, to be cancelled when nobody waits for it any more. */
    void inFlight(@Nullable CompletableFuture<?> future) {
        inFlight = future;
        sending.complete(null);
    }

    /**
     * Gives up the acquire under way, or one that has failed.
     *
     * @param then gets true if it has never been sent and never will be. Called at once; or, as the first call of a
     *     store loads classes, by the thread that is about to ask a store that is not connected
     */
    void withdrawInFlight(Consumer<Boolean> then) {
        var unused = sending.thenRun(() -> then.accept(isWithdrawn()));
    }

    /** An acquire that is about to be sent to a store that is connected is not known here yet. */
    private boolean isWithdrawn() {
        CompletableFuture<?> future = inFlight;
        if (future instanceof Withdrawable unsent) {
            return unsent.withdraw();
        }
        if (future != null) {
            future.cancel(false);
        }
        return false;
    }

    /** The acquire under way; null if there is none. */
    @Nullable
    CompletableFuture<?> inFlight() {
        return inFlight;
    }

    /** Completes when the reply to a conversion has been taken in, or nobody looks for it; null if none was sent. */
    @Nullable
    CompletableFuture<?> conversion() {
        return conversion;
    }

    void conversion(CompletableFuture<?> takenIn) {
        conversion = takenIn;
        if (conversionAbandoned) {
            takenIn.complete(null);
        }
    }

    /**
     * The claim has left its arbiter, which alone gives up a conversion that is not answered: the holder of a
     * downgraded write lock may wait for that. Called with no lock held.
     */
    void abandonConversion() {
        conversionAbandoned = true;
        CompletableFuture<?> last = conversion;
        if (last != null) {
            last.complete(null);
        }
    }

    private void sent(long nowNanos) {
        endsInStoreNanos =
                Math.max(endsInStoreNanos, nowNanos + inStore(claim).lease().toNanos());
    }

    /**
     * Why a claim is gone of which the store says at {@code nowNanos} that it is not there. Before the lease can have
     * ended in the store, somebody has ended it. After that nobody needs to have, and whoever has the name since may
     * have it by right: all that is proven is that the lease is over.
     */
    LossCause causeOfAbsence(Renewal answer, long nowNanos) {
        boolean free = answer == Renewal.DELETED || answer == Renewal.TAKEN;
        boolean over = nowNanos >= deadline.nanos() + delay.toNanos();
        return free && over ? causeOfPassing() : answer.cause();
    }

    private LossCause causeOfPassing() {
        if (deadline.isCutOff()) {
            return LossCause.SESSION_LOST;
        }
        if (renewedUntilRelease) {
            return LossCause.STORE_UNREACHABLE;
        }
        if (!renewal.isOn()) {
            return LossCause.EXPIRED;
        }
        // A renewal was due at a third of the lease, and would have been given up a third later, unless the store has
        // kept it waiting. If none has failed, the process was stopped and did neither.
        return renewal.failures() > 0 || renewalKeptWaiting ? LossCause.STORE_UNREACHABLE : LossCause.PAUSED;
    }

    private void transition(ClaimState to, String reason) {
        assert guard.isHeldByCurrentThread() : "not guarded: " + this;
        if (!state.next().contains(to)) {
            throw new IllegalStateException(
                    "A claim cannot go from " + state + " to " + to + " (" + reason + "): " + claim);
        }
        state = to;
    }

    @Override
    public String toString() {
        return claim + " " + state;
    }
}
