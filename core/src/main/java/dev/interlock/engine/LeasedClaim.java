package dev.interlock.engine;

import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One claim of this client, from its first request to its last lease, and the leases on it: the exclusive lease, or any
 * number of shares, or both if the holder of the write lock has taken the read lock besides. Not thread-safe: the
 * arbiter's monitor guards it.
 *
 * <pre>
 *   claim in the store     leases on it
 *   exclusive              one exclusive lease after the other   a lock, or the write lock
 *   exclusive              one, and a share of its holder        the write lock, about to be downgraded
 *   exclusive              shares                                for the rest of the turn
 *   shared                 shares
 *   permits                one exclusive lease after the other   a semaphore
 *   zero                   shares, all at once                   a latch; nothing is held
 * </pre>
 *
 * <p>An exclusive claim on which only readers are left was held by a writer of this process before. It serves readers
 * without the store, but keeps out those of other processes. So it becomes shared when its turn is over, or at once if
 * the writer downgraded. See {@link Conversion}.
 */
final class LeasedClaim {

    private final EngineContext context;
    private final EngineLease.Issuer issuer;
    private final ClaimLife life;
    private final String participant;
    private final HandOverTurn turn = new HandOverTurn();
    private final Conversion conversion;
    private final Retention retention;
    private @Nullable EngineLease exclusiveLease;
    private Set<EngineLease> shares = Set.of();

    /** How many leases need the claim to be renewed. */
    private int renewing;

    /** The earliest end of a lease by a bound of its own, or an earlier moment. */
    private long boundNanos = EngineClock.NEVER;

    /**
     * Whether the claim is to become shared: its holder went over to a share, or new callers are served by another
     * claim.
     */
    private boolean opened;

    /** The last caller that had come when the last request was sent, by its number. */
    private long asked;

    /** Whether it stays with the lease on it, whose id is known outside. */
    private boolean kept;

    LeasedClaim(EngineContext context, EngineLease.Issuer issuer, ClaimLife life, String participant) {
        this.context = context;
        this.issuer = issuer;
        this.life = life;
        this.participant = participant;
        this.conversion = new Conversion(context.timeouts(), life);
        this.retention = new Retention(life.claim().owner());
    }

    ClaimLife life() {
        return life;
    }

    boolean isHeld() {
        return life.state().isHeld();
    }

    boolean isIn(ClaimState state) {
        return life.state() == state;
    }

    // ---- the leases

    boolean isIdle() {
        return exclusiveLease == null && shares.isEmpty();
    }

    boolean holds(EngineLease lease) {
        return lease == exclusiveLease || shares.contains(lease);
    }

    /** The lease on the whole claim; null if there is none. */
    @Nullable
    EngineLease exclusiveLease() {
        return exclusiveLease;
    }

    /** A copy of the leases. */
    List<EngineLease> leases() {
        List<EngineLease> all = new ArrayList<>(shares);
        if (exclusiveLease != null) {
            all.add(exclusiveLease);
        }
        return all;
    }

    /** Whether the present leases leave room for this caller. */
    boolean hasRoomFor(Waiter next) {
        return exclusiveLease == null && (shares.isEmpty() || next.isShared());
    }

    /** From now on nobody gets a lease on it. */
    void keep() {
        kept = true;
    }

    /** Whether it is held in the store while it has leases; if not, it is over as soon as it is granted. */
    boolean holds() {
        return life.claim().mode().holds();
    }

    /** The request that is sent now is for all who have come so far. */
    void askedFor(long arrivals) {
        asked = arrivals;
    }

    /** Whether the last request was sent after the caller of this number had come. */
    boolean isAskedFor(long arrival) {
        return arrival <= asked;
    }

    /** Whether the claim is what the caller needs, and its turn is not over. */
    boolean mayGoTo(Waiter next, long now) {
        if (!holds()) {
            // That the count was zero before it came is nothing to one who came later.
            return isAskedFor(next.arrival());
        }
        return !kept
                && !life.isLeftClosed()
                && (next.isShared() || !isShared())
                && isForAsMuchAs(next)
                && isOf(next)
                && turn.mayGoTo(next, life, isWanted(), now);
    }

    /** Whether the claim was asked for on behalf of a caller like this one. */
    boolean isFor(Waiter next) {
        return next.isShared() == isShared() && isForAsMuchAs(next) && isOf(next);
    }

    /** Whether it was asked for on behalf of the same participant, and with the same delay. */
    boolean isOf(Waiter next) {
        return participant.equals(next.options().participant())
                && life.delay().equals(next.options().lockDelay());
    }

    private boolean isForAsMuchAs(Waiter next) {
        return !(life.claim().mode() instanceof Mode.Permits mine)
                || (next.request().mode() instanceof Mode.Permits wanted && wanted.count() == mine.count());
    }

    boolean isShared() {
        return Request.isShared(life.claim().mode());
    }

    /** Grants the next lease. */
    EngineLease grant(Waiter next, long now) {
        // What holds nothing needs no token, and there may be more callers than numbers.
        int number = holds() ? turn.next(next, life) : 0;
        retention.used(next);
        return add(next, new EngineLease(context, issuer, life, boundOf(next, now), number, next, now));
    }

    /** Grants a share to the holder of the exclusive lease, under its token and whatever its term. */
    EngineLease grantDowngrade(Waiter holder, long now) {
        life.lengthen(holder.term().length());
        Deadline end = holder.term().isRenewing()
                ? life.deadline()
                : new Deadline(Deadline.endOf(now, holder.term().length()));
        return add(holder, new EngineLease(context, issuer, life, end, turn.number(), holder, now));
    }

    /** The end of a lease: a share with a fixed term has one of its own, since the claim may be renewed for others. */
    private Deadline boundOf(Waiter next, long now) {
        boolean bounded = next.request().mayShare() && !next.term().isRenewing();
        return bounded
                ? new Deadline(Math.min(
                        life.deadline().nanos(), Deadline.endOf(now, next.term().length())))
                : life.deadline();
    }

    private EngineLease add(Waiter next, EngineLease lease) {
        if (!next.isShared()) {
            exclusiveLease = lease;
        } else {
            if (shares.isEmpty()) {
                shares = new LinkedHashSet<>();
            }
            shares.add(lease);
        }
        boundNanos = Math.min(boundNanos, lease.boundNanos());
        if (lease.needsRenewal() && ++renewing == 1) {
            life.renewing(true);
        }
        return lease;
    }

    /** Takes a lease off that is over. */
    void remove(EngineLease lease) {
        if (lease == exclusiveLease) {
            exclusiveLease = null;
            opened |= !shares.isEmpty();
        } else {
            shares.remove(lease);
        }
        if (lease.needsRenewal() && --renewing == 0) {
            life.renewing(false);
        }
    }

    /** Ends the leases that are over by a bound of their own; returns whether there were any. */
    boolean endOverdue(long now, DeferredActions actions) {
        if (now < boundNanos) {
            return false;
        }
        List<EngineLease> overdue = new ArrayList<>();
        boundNanos = EngineClock.NEVER;
        for (EngineLease lease : leases()) {
            if (lease.isOver(now)) {
                overdue.add(lease);
                remove(lease);
            } else {
                boundNanos = Math.min(boundNanos, lease.boundNanos());
            }
        }
        overdue.forEach(lease -> lease.lost(LossCause.EXPIRED, now, actions));
        if (!overdue.isEmpty()) {
            life.leaseLost();
        }
        return !overdue.isEmpty();
    }

    /** Ends all leases, as the claim is lost. */
    void loseLeases(long now, DeferredActions actions) {
        LossCause cause = Objects.requireNonNullElse(life.lossCause(), LossCause.EXPIRED);
        if (!isIdle()) {
            life.leaseLost();
        }
        leases().forEach(lease -> lease.lost(cause, now, actions));
    }

    /** Ends all leases that no code of the user needs, as the client closes. */
    void endUnneeded(long now, DeferredActions actions) {
        for (EngineLease lease : leases()) {
            if (!context.works().need(lease, lease.threadId())) {
                lease.ended(now, actions);
                remove(lease);
                actions.defer(() -> lease.finished(ReleaseOutcome.RELEASED));
            }
        }
    }

    // ---- kept without a lease

    /** Whether another client may want it, as far as this one knows. */
    private boolean isWanted() {
        return retention.state() == RetentionState.ORDINARY;
    }

    /** Another client wants it. */
    void wanted() {
        retention.wanted();
    }

    /**
     * The last lease was released; returns whether the claim is kept. One that was extended is not: if this process
     * dies, others should wait no longer than its term says.
     */
    boolean retain(long now) {
        if (kept || HandOverTurn.isExtended(life, now) || !retention.released(now)) {
            return false;
        }
        life.renewing(true);
        return true;
    }

    /** Whether it is kept without a lease. */
    boolean isRetained() {
        return retention.state() == RetentionState.IDLE;
    }

    /** As {@link #isRetained()}, at this moment. */
    boolean isRetained(long now) {
        retention.expire(now);
        return isRetained();
    }

    // ---- from exclusive to shared

    /** From now on new callers are served by another claim. */
    void open() {
        opened = true;
    }

    /** Sends the conversion if it is due. */
    void convertIfDue(long now, DeferredActions actions) {
        if (now >= conversionDueNanos()) {
            conversion.send(life.isRenewing(), now, actions);
        }
    }

    /** Whether a conversion may still reach the store. */
    boolean isUnsure() {
        return conversion.isUnsure();
    }

    /** Takes the reply to a conversion in; returns false if the claim was gone. */
    boolean onConversionReply(Attempt answer) {
        return conversion.onReply(answer);
    }

    void onConversionFailure(long now) {
        conversion.failed(now);
    }

    private long conversionDueNanos() {
        if (shares.isEmpty() || exclusiveLease != null) {
            return EngineClock.NEVER;
        }
        if (life.isLeftClosed() && !conversion.isAsking()) {
            // The readers of other processes are kept out, too.
            return EngineClock.NEVER;
        }
        if (life.isRenewalUnderWay() && !conversion.isAsking()) {
            // The reply leads here again.
            return EngineClock.NEVER;
        }
        return isShared() ? conversion.dueNanos() : opened ? Long.MIN_VALUE : turn.endNanos();
    }

    // ---- time

    /** When something is due for a held claim. */
    long dueNanos() {
        return Math.min(Math.min(life.dueNanos(), retention.dueNanos()), Math.min(boundNanos, conversionDueNanos()));
    }

    /** Puts the claim into the batch if it is due, or nearly so: {@code early} allows for a share of the lease. */
    void renew(boolean early, long now, Renewals renewals) {
        var length = life.claim().lease();
        if (life.wantsRenewal(now, early ? length.toNanos() / Renewals.SLACK_DIVISOR : 0)) {
            // A claim that need not be renewed gets no longer by it.
            var asked = life.atLeast(life.isRenewing() ? length : Duration.ZERO, now);
            if (!early || renewals.isPendingFor(life, asked)) {
                life.renewalSent(asked, now);
                renewals.add(issuer, life, asked, now);
            }
        }
    }
}
