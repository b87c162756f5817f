package dev.interlock.memory;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The claims of one name. Time is an argument, in nanoseconds of the store's clock; the caller calls {@link #expire} first. Guarded by the caller. */
final class NameEntry {

    /** How long the mark of a forced release is kept. */
    private static final long FORCED_NANOS = Duration.ofMinutes(1).toNanos();

    /** What a token is wider than a fence: the room for hand-overs inside a process. */
    private static final long TOKENS_PER_FENCE = 1024;

    private final LockId id;
    private final Map<OwnerId, Waiting> waiting = new HashMap<>();
    private @Nullable Held held;
    private @Nullable OwnerId forced;
    private long forcedUntil;
    private long arrivals;

    NameEntry(LockId id) {
        this.id = id;
    }

    LockId id() {
        return id;
    }

    /** Grants the claim, with {@code nextFence} unless it has one; or lists it, if it waits. */
    Attempt acquire(Claim claim, long nextFence, long now) {
        Held current = held;
        if (current == null) {
            current = new Held(claim.owner(), claim.party(), now, nextFence);
            held = current;
        } else if (!current.owner.equals(claim.owner())) {
            Duration waited = claim.waited();
            if (waited != null) {
                list(claim, now - waited.toNanos(), now);
            }
            return Attempt.busy(Duration.ofNanos(current.until - now));
        }
        waiting.remove(claim.owner());
        current.until = now + claim.lease().toNanos();
        return Attempt.granted(current.fence);
    }

    /** Lists the claim behind all that wait, although the name may be free: it is the turn of the one that was woken. */
    Attempt lineUp(Claim claim, long now) {
        list(claim, now, now);
        return Attempt.busy(Duration.ofMillis(100));
    }

    /** Ends the claim, held or listed; whether it was held. */
    boolean end(OwnerId owner, boolean byForce, long now) {
        waiting.remove(owner);
        Held current = held;
        if (current == null || !current.owner.equals(owner)) {
            return false;
        }
        held = null;
        if (byForce) {
            forced = owner;
            forcedUntil = now + FORCED_NANOS;
        }
        return true;
    }

    /** Takes the claim that has waited longest off the list; null if none waits. It lists itself again if it does not get the lock. */
    @Nullable
    OwnerId takeLongestWaiting() {
        OwnerId longest = inOrder().map(Map.Entry::getKey).findFirst().orElse(null);
        waiting.remove(longest);
        return longest;
    }

    Renewal renew(Claim claim, long now) {
        Held current = held;
        if (current != null && current.owner.equals(claim.owner())) {
            current.until = now + claim.lease().toNanos();
            return Renewal.HELD;
        }
        if (claim.owner().equals(forced)) {
            return Renewal.FORCED;
        }
        return current == null ? Renewal.DELETED : Renewal.TAKEN;
    }

    LockStatus status(long now) {
        Held current = held;
        List<LockStatus.Holder> holders = current == null ? List.of() : List.of(current.describe(now));
        List<LockStatus.Waiter> waiters = inOrder()
                .map(e -> new LockStatus.Waiter(
                        e.getKey().value(),
                        e.getValue().party(),
                        Duration.ofNanos(now - e.getValue().since())))
                .toList();
        return new LockStatus(id.name(), holders, waiters);
    }

    /** Forgets what is over. */
    void expire(long now) {
        Held current = held;
        if (current != null && now - current.until >= 0) {
            held = null;
        }
        if (forced != null && now - forcedUntil >= 0) {
            forced = null;
        }
        waiting.values().removeIf(w -> now - w.until() >= 0);
    }

    boolean isFree() {
        return held == null;
    }

    boolean isEmpty() {
        return held == null && forced == null && waiting.isEmpty();
    }

    private void list(Claim claim, long since, long now) {
        long until = now + claim.lease().toNanos();
        waiting.put(claim.owner(), new Waiting(claim.party(), since, until, arrivals++));
    }

    private Stream<Map.Entry<OwnerId, Waiting>> inOrder() {
        return waiting.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(
                        Comparator.comparingLong(Waiting::since).thenComparingLong(Waiting::arrival)));
    }

    private static final class Held {
        final OwnerId owner;
        final Party party;
        final long since;
        final long fence;
        long until;

        Held(OwnerId owner, Party party, long since, long fence) {
            this.owner = owner;
            this.party = party;
            this.since = since;
            this.fence = fence;
        }

        LockStatus.Holder describe(long now) {
            return new LockStatus.Holder(
                    owner.value(),
                    party,
                    Duration.ofNanos(now - since),
                    Duration.ofNanos(until - now),
                    fence * TOKENS_PER_FENCE);
        }
    }

    private record Waiting(Party party, long since, long until, long arrival) {}
}
