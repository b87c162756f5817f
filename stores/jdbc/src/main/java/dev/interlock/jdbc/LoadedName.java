package dev.interlock.jdbc;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Renewal;
import dev.interlock.support.Polling;
import dev.interlock.support.rules.Decision;
import dev.interlock.support.rules.Holder;
import dev.interlock.support.rules.NameRules;
import dev.interlock.support.rules.NameState;
import dev.interlock.support.rules.Waiter;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A name as it was read from the tables, and what the {@linkplain NameRules rules} decide about it. Immutable.
 *
 * @param columns the row of the name
 * @param stored the state as it was read
 * @param current the same without what is over
 * @param nowMs the clock of the database when the rows were read
 */
// References are compared on purpose: an entry that does not change stays the same object.
@SuppressWarnings("ReferenceEquality")
record LoadedName(NameColumns columns, NameState stored, NameState current, long nowMs) {

    /**
     * For how long a free lock is reserved: longer than two polls of the waiter, so that it comes in time, and short
     * enough for a dead waiter to cost little.
     */
    private static final int RESERVED_MS = 120;

    /** Microseconds of the year 2223: a clock far off must not use up the 2^53 fences. */
    private static final long LARGEST_TIME = 8_000_000_000_000_000L;

    /** How long a polling waiter assumes that it has to wait if nobody holds the name. */
    private static final long NOBODY_HOLDS_MS = 1_250;

    /** A new fence is above what a lost database has forgotten: that is what the time in it is for. */
    private static final NameRules RULES =
            new NameRules(TimeUnit.MILLISECONDS, RESERVED_MS, true, nowMs -> Math.min(nowMs * 1_000, LARGEST_TIME));

    private static final Polling POLLING =
            new Polling(Duration.ofMillis(1), Duration.ofMillis(25), Duration.ofMillis(4), Duration.ofMillis(50));

    static LoadedName of(NameColumns columns, NameState stored, long nowMs) {
        return new LoadedName(columns, stored, RULES.expire(stored, nowMs), nowMs);
    }

    /** The status of a name that has no row. */
    static LockStatus unused(LockId id) {
        return RULES.status(NameState.of(id), 0);
    }

    // ---- decisions

    /** @throws FenceExhaustedException if the claim could be granted, but there is no larger fence */
    Decision<Attempt> acquire(Claim claim, String channel) {
        try {
            return RULES.acquire(current, claim, channel, nowMs);
        } catch (IllegalStateException e) {
            throw new FenceExhaustedException(String.valueOf(e.getMessage()));
        }
    }

    /** @throws FenceExhaustedException if the command could be executed, but there is no larger fence */
    Decision<Boolean> execute(Command command) {
        try {
            return RULES.execute(current, command, nowMs);
        } catch (IllegalStateException e) {
            throw new FenceExhaustedException(String.valueOf(e.getMessage()));
        }
    }

    Decision<Boolean> release(Claim claim) {
        return RULES.release(current, claim, nowMs);
    }

    /** Wakes the next waiters in the place of these, which are taken off the list. */
    Decision<Boolean> wakeInsteadOf(List<Waiter> unreachable) {
        List<Waiter> others = current.waiters().stream()
                .filter(waiter -> !unreachable.contains(waiter))
                .toList();
        NameState rest = new NameState(
                current.id(),
                current.holders(),
                others,
                current.marks(),
                current.count(),
                current.keptUntil(),
                current.fence());
        return RULES.wake(rest, NameRules.PATIENCE_MS, nowMs);
    }

    /** Whether a claim is held, or why not. */
    Renewal renewal(Claim claim) {
        return RULES.renew(current, claim, nowMs).answer();
    }

    LockStatus status() {
        return RULES.status(current, nowMs);
    }

    /** When a busy claim asks again whose client polls. A reserved name is free soon. */
    Duration pollDelay(NameState decided, Claim claim) {
        Waiter mine = decided.waiter(claim.owner());
        int ahead = 0;
        for (Waiter waiter : decided.waiters()) {
            if (waiter == mine) {
                break;
            }
            ahead += waiter.isQueued() ? 1 : 0;
        }
        long sinceMs = mine == null ? nowMs : mine.since();
        long untilMs = nowMs + NOBODY_HOLDS_MS;
        if (decided.reservation() != null) {
            sinceMs = nowMs;
            untilMs = decided.reservation().until();
        }
        for (Holder holder : decided.holders()) {
            if (holder == decided.holders().get(0) || holder.until() < untilMs) {
                sinceMs = holder.since();
                untilMs = holder.until();
            }
        }
        return POLLING.delay(
                ahead,
                nowMs - sinceMs,
                untilMs - nowMs,
                ThreadLocalRandom.current().nextDouble());
    }

    // ---- what to write

    /** Whether a decision needs to be written: not if it changes nothing but that something is over. */
    boolean needsWrite(NameState decided) {
        return decided != current || isShortened();
    }

    /** Whether an entry would have lasted too long, because a clock was set back. */
    private boolean isShortened() {
        return hasOthers(current.holders(), stored.holders())
                || hasOthers(current.waiters(), stored.waiters())
                || hasOthers(current.marks(), stored.marks());
    }

    private static boolean hasOthers(List<?> list, List<?> before) {
        if (list == before) {
            return false;
        }
        Set<Object> known = Collections.newSetFromMap(new IdentityHashMap<>());
        known.addAll(before);
        return !known.containsAll(list);
    }
}
