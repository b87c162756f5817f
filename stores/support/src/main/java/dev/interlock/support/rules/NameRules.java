package dev.interlock.support.rules;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.StoreRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * The rules of a name, as functions from one {@link NameState} to the next. All methods but {@link #expire} expect a
 * state from which {@code expire} has removed what is over. Thread-safe; an instance only has the parameters in which
 * stores differ.
 *
 * <p><b>Who gets a name.</b> The rule of {@link Mode}: a claim must fit beside the holders, and one that is in order
 * also beside the waiters before it. While a free lock is reserved, only the claim that it is reserved for gets it.
 *
 * <p><b>Who is woken.</b> Whenever a claim may have made room: from the front of the queue, each waiter that fits
 * beside the holders and those woken before it. A waiter that is not in order leaves the queue until it asks again. A
 * client that polls cannot be woken, and whoever asks next would get a free lock: most often the client that has just
 * released it. So a free lock is reserved for the first waiter if that one polls and has waited for
 * {@link #PATIENCE_MS}; until then the faster client may have it, which keeps the throughput of short holds.
 */
public final class NameRules {

    /** How long a waiter that polls has to wait, in milliseconds, before a free lock is reserved for it. */
    public static final int PATIENCE_MS = 10;

    /** How long a claim in order keeps its place without asking again: a dead one keeps others waiting for so long. */
    private static final int PLACE_MS = 5_000;

    /** How often a claim in order asks again at least, to keep its place. */
    private static final int ASK_MS = PLACE_MS / 4;

    /** How long a polling client that is not in order stays listed: for dozens of polls. */
    private static final int POLLER_MS = 2_000;

    /** How often a claim that is not in order and can be woken asks again at least, within the lease that it wants. */
    private static final int ASKS_PER_LEASE = 3;

    /** When a claim asks again that has given others their turn and could be woken. */
    private static final int GAVE_TURN_MS = 100;

    /** How long a forced release is remembered: as long as the longest pause between renewals of a usual lease. */
    private static final int FORCED_MS = 60_000;

    /** For how long a change of a latch may be repeated after a lost answer. */
    private static final int REPEATED_MS = 600_000;

    private final TimeUnit unit;
    private final int reservedMillis;
    private final boolean sparesWrites;
    private final LongUnaryOperator leastFence;

    /**
     * Rules with these parameters.
     *
     * @param unit the unit of all times
     * @param reservedMillis how long a free lock is reserved for a waiter that polls: longer than the pause between two
     *     of its polls
     * @param sparesWrites whether a waiter that asks again, or a use of a latch, leaves the state as it is as long as
     *     the entry lasts until the next request but one
     * @param leastFence the least fence of a grant at this time, above all fences of the name that the state may have
     *     forgotten; it is one more than the last fence if that is larger
     */
    public NameRules(TimeUnit unit, int reservedMillis, boolean sparesWrites, LongUnaryOperator leastFence) {
        this.unit = unit;
        this.reservedMillis = reservedMillis;
        this.sparesWrites = sparesWrites;
        this.leastFence = leastFence;
    }

    // ---- the verbs

    /**
     * Removes what is over. An entry that would last longer than it was made for is shortened: a clock that was set
     * back leaves such entries behind.
     */
    public NameState expire(NameState state, long now) {
        NameState rest = state.with(
                NameState.current(state.holders(), now),
                NameState.current(state.waiters(), now),
                NameState.current(state.marks(), now));
        boolean isKept = state.keptUntil() > now;
        if (state.id().kind() == LockKind.LATCH) {
            return isKept ? rest : withoutCounts(rest).withCount(0, 0);
        }
        // A capacity is known as long as it is used, too.
        boolean isUsed = !rest.holders().isEmpty() || !rest.waiters().isEmpty();
        return rest.withCount(isKept || isUsed ? rest.count() : 0, isKept ? rest.keptUntil() : 0);
    }

    /**
     * Grants the claim, if it is held already or can be; else lists it, if it waits.
     *
     * @param channel where the store reaches the client of the claim; empty if it cannot, and the client polls
     */
    public Decision<Attempt> acquire(NameState state, Claim claim, String channel, long now) {
        OwnerId earlier = claim.replaces();
        NameState before = state;
        if (earlier != null) {
            Decision<Boolean> ended = end(state, earlier, false, now);
            before = ended.state();
            // A claim in order lines up by its own rule.
            if (ended.answer() && claim.waited() != null && !claim.mode().inOrder()) {
                Decision<Boolean> others = wake(before, 0, now);
                if (others.answer()) {
                    // However long it has waited: it lines up behind those who wait now.
                    Claim last = claim.waiting(Duration.ZERO);
                    return decided(listed(others.state(), last, channel, now), last, 0, others.woken(), now);
                }
            }
        }
        NameState after =
                claim.id().kind() == LockKind.LATCH ? awaitZero(before, claim, now) : hold(before, claim, now);
        Holder mine = after.holder(claim.owner());
        // A grant of what is held already is no new one.
        long fence = after.fence() != before.fence() ? after.fence() : mine != null ? mine.fence() : 0;
        if (fence == 0 && claim.waited() != null) {
            after = listed(after, claim, channel, now);
        }
        if (!mayWake(claim, fence == 0)) {
            return decided(after, claim, fence, List.of(), now);
        }
        Decision<Boolean> others = wake(after, 0, now);
        return decided(others.state(), claim, fence, others.woken(), now);
    }

    private Decision<Attempt> decided(NameState state, Claim claim, long fence, List<Waiter> woken, long now) {
        Attempt attempt = fence == 0 ? Attempt.busy(retryAfter(state, claim, now)) : Attempt.granted(fence);
        List<Waiter> others = woken;
        for (Waiter waiter : woken) {
            if (waiter.owner().equals(claim.owner())) {
                // It has its answer.
                others = NameState.replaced(woken, waiter, null);
            }
        }
        return new Decision<>(state, attempt, others);
    }

    /**
     * A claim that is busy may have made room for others by what it replaces, or have found room that the waiter whose
     * turn it is has not come for. Taking permits or passing a latch makes no room: waking the others again, each
     * within the wake of the one before, would take a stack as deep as the queue.
     */
    private static boolean mayWake(Claim claim, boolean isBusy) {
        if (claim.id().kind() == LockKind.LOCK) {
            return isBusy && claim.mode().inOrder();
        }
        return isBusy
                || claim.replaces() != null
                || !(claim.mode() instanceof Mode.Permits || claim.mode() instanceof Mode.AwaitZero);
    }

    /**
     * Executes a command on a semaphore or a latch, unless its rule refuses it. The answer is whether it is done.
     *
     * @throws UnsupportedOperationException for a request to revoke: the store itself knows whom to notify
     */
    public Decision<Boolean> execute(NameState state, Command command, long now) {
        NameState after =
                switch (command.id().kind()) {
                    case SEMAPHORE -> semaphore(state, command, now);
                    case LATCH -> latch(state, command, now);
                    case LOCK, READ_WRITE ->
                        throw new UnsupportedOperationException("The rules of a name notify nobody: " + command);
                };
        boolean keeps = command.action() instanceof Command.KeepPermits;
        // Whatever is set has a fence, even if it is the same again.
        boolean isDone = keeps ? state.holder(command.owner()) != null : after.fence() != state.fence();
        Decision<Boolean> others = wake(after, 0, now);
        return new Decision<>(others.state(), isDone, others.woken());
    }

    /**
     * Ends the claim, whether it holds, waits or has the lock reserved, and wakes those whose turn it is then. The
     * answer is whether it was held. A claim that lapses is left.
     */
    public Decision<Boolean> release(NameState state, Claim claim, long now) {
        Holder mine = state.holder(claim.owner());
        if (claim.lapses() && mine != null) {
            return left(state, mine, claim, now);
        }
        if (claim.lapses() && state.holder(claim.owner().left()) != null) {
            return new Decision<>(state, true, List.of());
        }
        Decision<Boolean> ended = end(state, claim.owner(), claim.forced(), now);
        Decision<Boolean> others = wake(ended.state(), PATIENCE_MS, now);
        return new Decision<>(others.state(), ended.answer(), others.woken());
    }

    /** Sets the lease of a claim that is held anew; says of any other why it is not held. */
    public Decision<Renewal> renew(NameState state, Claim claim, long now) {
        Holder mine = state.holder(claim.owner());
        Renewal renewal;
        if (mine != null) {
            renewal = Renewal.HELD;
        } else if (state.mark(Mark.Kind.FORCED, claim.owner()) != null) {
            renewal = Renewal.FORCED;
        } else {
            boolean isTaken =
                    claim.id().kind() != LockKind.LATCH && !new Beside(state).fits(claim.mode(), state.count());
            renewal = isTaken ? Renewal.TAKEN : Renewal.DELETED;
        }
        NameState after = mine == null ? state : renewed(state, mine, mine.mode(), claim, now);
        return new Decision<>(after, renewal, List.of());
    }

    // ---- holding

    private NameState hold(NameState state, Claim claim, long now) {
        NameState known = state.count() == 0 && claim.mode() instanceof Mode.Permits permits
                ? state.withCount(permits.capacity(), state.keptUntil())
                : state;
        Holder mine = known.holder(claim.owner());
        if (mine != null) {
            return renewed(known, mine, claim.mode(), claim, now);
        }
        if (wasEnded(known, claim) || !fits(known, claim, now)) {
            return known;
        }
        NameState granted = granted(unlisted(known, claim.owner()), now);
        long lasts = ticks(claim.lease());
        Holder holder =
                new Holder(claim.owner(), claim.party(), claim.mode(), now, now + lasts, lasts, granted.fence());
        List<Holder> holders =
                NameState.inserted(granted.holders(), granted.holders().size(), holder);
        // If the lock was reserved, then for this claim.
        List<Mark> marks = NameState.replaced(granted.marks(), granted.reservation(), null);
        return granted.with(holders, granted.waiters(), marks);
    }

    private NameState granted(NameState state, long now) {
        if (state.fence() >= Attempt.LARGEST_FENCE) {
            throw new StoreRefusal("The store has a fence of '" + state.id().printable()
                    + "' that no client gives, and that leaves no larger one: fence=" + state.fence());
        }
        return state.withFence(Math.max(state.fence() + 1, leastFence.applyAsLong(now)));
    }

    private NameState renewed(NameState state, Holder mine, Mode mode, Claim claim, long now) {
        long lasts = ticks(claim.lease());
        Holder renewed = mine.renewed(mode, now + lasts, lasts);
        return state.with(NameState.replaced(state.holders(), mine, renewed), state.waiters(), state.marks());
    }

    /**
     * A claim that does not wait and was ended by force may be a conversion, whose client believes that it holds.
     * Granted anew, it would be renewed for a token that others have overtaken. If it is refused, the mark stays, from
     * which a renewal learns the cause.
     */
    private static boolean wasEnded(NameState state, Claim claim) {
        return claim.waited() == null
                && claim.id().kind() != LockKind.LOCK
                && state.mark(Mark.Kind.FORCED, claim.owner()) != null;
    }

    private boolean fits(NameState state, Claim claim, long now) {
        Mark reservation = state.reservation();
        if (reservation != null && !reservation.owner().equals(claim.owner())) {
            return false;
        }
        Beside beside = new Beside(state);
        // Not if it does not fit anyway: a long queue takes its time.
        if (claim.mode().inOrder() && beside.fits(claim.mode(), state.count())) {
            for (Waiter waiter : before(state, claim, now)) {
                if (waiter.isQueued()) {
                    beside.add(waiter.mode());
                }
            }
        }
        return beside.fits(claim.mode(), state.count());
    }

    /** The claims that another one has to fit beside: at first those that hold. */
    private static final class Beside {
        private int claims;
        private int shares;
        private long permits;

        Beside(NameState state) {
            for (Holder holder : state.holders()) {
                add(holder.mode());
            }
        }

        void add(Mode mode) {
            claims++;
            if (mode instanceof Mode.Shared) {
                shares++;
            } else if (mode instanceof Mode.Permits some) {
                permits += some.count();
            }
        }

        boolean fits(Mode mode, int capacity) {
            if (mode instanceof Mode.Permits some) {
                return permits + some.count() <= capacity;
            }
            return claims == (mode instanceof Mode.Shared ? shares : 0);
        }
    }

    private Decision<Boolean> end(NameState state, OwnerId owner, boolean byForce, long now) {
        Holder mine = state.holder(owner);
        NameState rest = state.with(
                NameState.replaced(state.holders(), mine, null),
                // Whoever holds does not wait.
                mine != null ? state.waiters() : NameState.replaced(state.waiters(), state.waiter(owner), null),
                NameState.replaced(state.marks(), state.mark(Mark.Kind.RESERVED, owner), null));
        if (mine != null && byForce) {
            rest = marked(rest, Mark.Kind.FORCED, owner, FORCED_MS, now);
        }
        return new Decision<>(rest, mine != null, List.of());
    }

    /** Those who would come next are woken if they now have less time to wait; they keep their places. */
    private Decision<Boolean> left(NameState state, Holder mine, Claim claim, long now) {
        long lasts = ticks(claim.lease());
        Holder left = new Holder(
                mine.owner().left(), mine.party(), mine.mode(), mine.since(), now + lasts, lasts, mine.fence());
        NameState after = state.with(NameState.replaced(state.holders(), mine, left), state.waiters(), state.marks());
        NameState free = state.with(NameState.replaced(state.holders(), mine, null), state.waiters(), state.marks());
        List<Waiter> woken = left.until() < mine.until() ? wake(free, 0, now).woken() : List.of();
        return new Decision<>(after, true, woken);
    }

    private NameState marked(NameState state, Mark.Kind kind, OwnerId owner, int millis, long now) {
        Mark mark = new Mark(kind, owner, now + ticks(millis), ticks(millis));
        return state.withMarks(NameState.inserted(state.marks(), state.marks().size(), mark));
    }

    // ---- the capacity

    private NameState semaphore(NameState state, Command command, long now) {
        if (command.action() instanceof Command.KeepPermits keep) {
            return kept(state, command.owner(), keep);
        }
        return command.action() instanceof Command.AddPermits add
                ? added(state, command, add, now)
                : resized(state, command, (Command.Resize) command.action(), now);
    }

    private NameState resized(NameState state, Command command, Command.Resize resize, long now) {
        return granted(state.withCount(resize.capacity(), now + ticks(command.lease())), now);
    }

    /** Who has added is marked, so that a repeated request does nothing. */
    private NameState added(NameState state, Command command, Command.AddPermits add, long now) {
        if (state.mark(Mark.Kind.FORCED, command.owner()) != null) {
            return granted(state, now);
        }
        long capacity = add.more() + (long) (state.count() == 0 ? add.capacity() : state.count());
        if (capacity < 1 || capacity > Integer.MAX_VALUE) {
            return state;
        }
        NameState changed = state.withCount((int) capacity, now + ticks(command.lease()));
        return granted(marked(changed, Mark.Kind.FORCED, command.owner(), FORCED_MS, now), now);
    }

    /** A claim never gets more permits by it, in whatever order two requests arrive. */
    private static NameState kept(NameState state, OwnerId owner, Command.KeepPermits keep) {
        Holder mine = state.holder(owner);
        if (mine == null || !(mine.mode() instanceof Mode.Permits had) || had.count() <= keep.count()) {
            return state;
        }
        Holder fewer = mine.renewed(new Mode.Permits(keep.count(), had.capacity()), mine.until(), mine.lasts());
        return state.with(NameState.replaced(state.holders(), mine, fewer), state.waiters(), state.marks());
    }

    // ---- counting

    /** Each use of a latch has it remembered for longer. */
    private NameState used(NameState state, Duration life, long now) {
        long lasts = ticks(life);
        long enough = sparesWrites ? lasts - lasts / 4 : lasts;
        return state.keptUntil() - now < enough ? state.withCount(state.count(), now + lasts) : state;
    }

    private NameState awaitZero(NameState state, Claim claim, long now) {
        NameState kept = used(state, claim.lease(), now);
        return kept.count() > 0 ? kept : granted(unlisted(kept, claim.owner()), now);
    }

    /** Who has set the count and who has counted is remembered, so that a repeated request does nothing. */
    private NameState latch(NameState state, Command command, long now) {
        NameState kept = used(state, command.lease(), now);
        OwnerId owner = command.owner();
        if (command.action() instanceof Command.SetCount set) {
            if (kept.mark(Mark.Kind.SETTER, owner) == null) {
                if (kept.count() > 0) {
                    return kept;
                }
                kept = marked(withoutCounts(kept), Mark.Kind.SETTER, owner, REPEATED_MS, now)
                        .withCount(set.count(), kept.keptUntil());
            }
        } else if (kept.count() > 0 && kept.mark(Mark.Kind.COUNTED, owner) == null) {
            // At zero nobody counts any more, whether again or not.
            NameState noted = kept.count() == 1
                    ? without(kept, Mark.Kind.COUNTED)
                    : marked(kept, Mark.Kind.COUNTED, owner, REPEATED_MS, now);
            kept = noted.withCount(kept.count() - 1, kept.keptUntil());
        }
        return granted(kept, now);
    }

    private static NameState withoutCounts(NameState state) {
        return without(without(state, Mark.Kind.SETTER), Mark.Kind.COUNTED);
    }

    private static NameState without(NameState state, Mark.Kind kind) {
        List<Mark> rest = new ArrayList<>();
        for (Mark mark : state.marks()) {
            if (mark.kind() != kind) {
                rest.add(mark);
            }
        }
        return rest.size() == state.marks().size() ? state : state.withMarks(rest);
    }

    // ---- waiting

    /**
     * Lists the claim, or keeps it listed. Its place is the one that it has, or the one that it would have if it had
     * been here for as long as it has waited.
     */
    private NameState listed(NameState state, Claim claim, String channel, long now) {
        long lasts = listedFor(claim, channel);
        List<Waiter> waiters = state.waiters();
        Waiter listed = state.waiter(claim.owner());
        if (listed != null) {
            boolean isFresh = sparesWrites && isFresh(listed, claim, channel, now);
            Waiter asked = isFresh ? listed : listed.with(claim.mode(), now + lasts, lasts, channel, false);
            return isFresh ? state : state.withWaiters(NameState.replaced(waiters, listed, asked));
        }
        long arrival = 0;
        for (Waiter each : waiters) {
            arrival = Math.max(arrival, each.arrival() + 1);
        }
        long since = since(claim, now);
        Waiter waiter = new Waiter(
                claim.owner(), claim.party(), claim.mode(), since, arrival, now + lasts, lasts, channel, false);
        return state.with(
                state.holders(),
                NameState.inserted(waiters, countUntil(waiters, since), waiter),
                withoutForced(state, claim.owner()));
    }

    private long listedFor(Claim claim, String channel) {
        if (claim.mode().inOrder()) {
            return ticks(PLACE_MS);
        }
        return channel.isEmpty() ? ticks(POLLER_MS) : ticks(claim.lease());
    }

    /** Whether the entry says what the claim says now, and lasts until the claim has asked at least once more. */
    private boolean isFresh(Waiter listed, Claim claim, String channel, long now) {
        long lasts = listedFor(claim, channel);
        boolean asksByLease = !claim.mode().inOrder() && !channel.isEmpty();
        long enough = asksByLease ? lasts * 2 / (2 * ASKS_PER_LEASE - 1) : lasts / 2;
        return !listed.isWoken()
                && listed.mode().equals(claim.mode())
                && listed.channel().equals(channel)
                && listed.until() - now >= enough;
    }

    private static NameState unlisted(NameState state, OwnerId owner) {
        List<Waiter> waiters = NameState.replaced(state.waiters(), state.waiter(owner), null);
        return state.with(state.holders(), waiters, withoutForced(state, owner));
    }

    /** An owner stands in one place only: what is remembered of a forced release gives way. */
    private static List<Mark> withoutForced(NameState state, OwnerId owner) {
        return NameState.replaced(state.marks(), state.mark(Mark.Kind.FORCED, owner), null);
    }

    private long since(Claim claim, long now) {
        Duration waited = claim.waited();
        return waited == null ? now : now - unit.convert(waited);
    }

    /** The waiters before this claim: all that have waited as long, if it is not listed. */
    private List<Waiter> before(NameState state, Claim claim, long now) {
        Waiter listed = state.waiter(claim.owner());
        List<Waiter> waiters = state.waiters();
        return waiters.subList(0, listed != null ? waiters.indexOf(listed) : countUntil(waiters, since(claim, now)));
    }

    /** How many have waited since this moment or longer. */
    private static int countUntil(List<Waiter> waiters, long since) {
        int count = waiters.size();
        while (count > 0 && waiters.get(count - 1).since() > since) {
            count--;
        }
        return count;
    }

    // ---- waking

    /**
     * Wakes the waiters whose turn it is; the answer is whether there are any. A release and an acquire do so
     * themselves; a store that has taken waiters off the list does it afterwards.
     *
     * @param patienceMillis how long a waiter that polls must have waited for a free lock to be reserved for it
     */
    public Decision<Boolean> wake(NameState state, int patienceMillis, long now) {
        boolean isLatch = state.id().kind() == LockKind.LATCH;
        boolean isClosed = isLatch ? state.count() > 0 : state.reservation() != null;
        if (isClosed || state.waiters().isEmpty()) {
            return new Decision<>(state, false, List.of());
        }
        List<Waiter> woken = new ArrayList<>();
        List<Waiter> waiters = new ArrayList<>(state.waiters());
        NameState after = state;
        Beside beside = new Beside(state);
        for (int i = 0; i < waiters.size(); i++) {
            Waiter next = waiters.get(i);
            // At a latch each is woken once: each that passes it wakes the others again.
            if (isLatch ? next.isWoken() : !next.isQueued()) {
                continue;
            }
            if (!isLatch && !beside.fits(next.mode(), state.count())) {
                break;
            }
            // One that has had its reservation, and has not come, gets no other before it asks again.
            boolean isReserved = state.id().kind() == LockKind.LOCK
                    && next.polls()
                    && !next.isWoken()
                    && next.since() <= now - ticks(patienceMillis);
            if (isReserved) {
                after = marked(after, Mark.Kind.RESERVED, next.owner(), reservedMillis, now);
            }
            beside.add(next.mode());
            woken.add(next);
            // Of one that polls nothing else is noted: it has not been told anything.
            if (!next.isWoken() && (isReserved || !next.polls())) {
                waiters.set(i, next.with(next.mode(), next.until(), next.lasts(), next.channel(), true));
                after = after.withWaiters(waiters);
            }
        }
        return new Decision<>(after, !woken.isEmpty(), woken);
    }

    // ---- looking

    /**
     * When a busy claim asks again that the store can wake, or that does not wait: when the first lease ends; and if it
     * waits, early enough to stay listed.
     */
    public Duration retryAfter(NameState state, Claim claim, long now) {
        Mark reservation = state.reservation();
        boolean inOrder = claim.mode().inOrder();
        long left = reservation != null ? reservation.until() - now : ticks(inOrder ? ASK_MS : GAVE_TURN_MS);
        if (!state.holders().isEmpty()) {
            left = Long.MAX_VALUE;
            for (Holder holder : state.holders()) {
                left = Math.min(left, holder.until() - now);
            }
        }
        if (claim.waited() != null) {
            left = Math.min(left, inOrder ? ticks(ASK_MS) : ticks(claim.lease()) / ASKS_PER_LEASE);
        }
        return duration(left);
    }

    /** Who holds and who waits, for people. */
    public LockStatus status(NameState state, long now) {
        List<LockStatus.Holder> holders = new ArrayList<>();
        for (Holder each : state.holders()) {
            holders.add(new LockStatus.Holder(
                    each.owner().value(),
                    each.party(),
                    each.mode(),
                    duration(now - each.since()),
                    duration(each.until() - now),
                    Attempt.token(each.fence())));
        }
        List<LockStatus.Waiter> waiters = new ArrayList<>();
        for (Waiter each : state.waiters()) {
            waiters.add(new LockStatus.Waiter(
                    each.owner().value(), each.party(), each.mode(), duration(now - each.since())));
        }
        LockKind kind = state.id().kind();
        boolean isCounted = kind == LockKind.LATCH || kind == LockKind.SEMAPHORE;
        return new LockStatus(state.id().name(), kind, holders, waiters, isCounted ? state.count() : 1);
    }

    // ---- units

    /** Rounded up: a lease in the store never ends before the one in its client. */
    private long ticks(Duration duration) {
        return unit.convert(duration.plusNanos(unit.toNanos(1) - 1));
    }

    private long ticks(int millis) {
        return unit.convert(millis, TimeUnit.MILLISECONDS);
    }

    /** Within nanoseconds, whatever is stored: whoever shows it may count it so. */
    private Duration duration(long ticks) {
        return Duration.ofNanos(unit.toNanos(Math.max(0, ticks)));
    }
}
