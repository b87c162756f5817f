package dev.interlock.memory;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who waits for one name, in the order of arrival. Guarded by the caller. */
final class WaitingList {

    /**
     * How long a claim that is in order keeps its place without asking again: so long a dead one keeps others waiting.
     */
    private static final long PLACE_NANOS = Duration.ofSeconds(5).toNanos();

    /** How often it is let ask, at least. */
    private static final long ASK_NANOS = PLACE_NANOS / 4;

    private final Map<OwnerId, Entry> entries = new HashMap<>();
    private long arrivals;

    /** One that waits. */
    record Entry(OwnerId owner, Party party, Mode mode, long since, long until, long arrival) {
        LockStatus.Waiter describe(long now) {
            return new LockStatus.Waiter(owner.value(), party, mode, Duration.ofNanos(now - since));
        }
    }

    /**
     * Lists the claim, or keeps it listed. Its place is where it has been, or where it would be if it had been here for
     * as long as it has waited.
     */
    void add(Claim claim, Duration waited, long now) {
        boolean inOrder = claim.mode().inOrder();
        Entry listed = entries.get(claim.owner());
        long since = inOrder && listed != null ? listed.since() : now - waited.toNanos();
        long arrival = inOrder && listed != null ? listed.arrival() : arrivals++;
        long until = now + (inOrder ? PLACE_NANOS : claim.lease().toNanos());
        entries.put(claim.owner(), new Entry(claim.owner(), claim.party(), claim.mode(), since, until, arrival));
    }

    /** When a claim that is listed is to ask again, if what it waits for ends after {@code nanos}. */
    Duration retryAfter(Claim claim, long nanos) {
        return Duration.ofNanos(claim.mode().inOrder() ? Math.min(nanos, ASK_NANOS) : nanos);
    }

    void remove(@Nullable OwnerId owner) {
        entries.remove(owner);
    }

    /** All, longest waiting first. */
    List<Entry> inOrder() {
        return sorted().toList();
    }

    /** Those ahead of this claim: all, if it is not listed and has not waited. */
    List<Entry> aheadOf(Claim claim, long now) {
        Entry listed = entries.get(claim.owner());
        Duration waited = claim.waited();
        long since = listed != null ? listed.since() : now - (waited == null ? 0 : waited.toNanos());
        long arrival = listed != null ? listed.arrival() : arrivals;
        return sorted().takeWhile(e -> e.since() < since || (e.since() == since && e.arrival() < arrival))
                .toList();
    }

    void expire(long now) {
        entries.values().removeIf(entry -> now - entry.until() >= 0);
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    private Stream<Entry> sorted() {
        return entries.values().stream()
                .sorted(Comparator.comparingLong(Entry::since).thenComparingLong(Entry::arrival));
    }
}
