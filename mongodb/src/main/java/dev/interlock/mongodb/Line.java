package dev.interlock.mongodb;

import dev.interlock.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who waits for one name, longest first. */
final class Line {

    private final List<Entry> entries;

    /** A line of these, longest waiting first. */
    Line(List<Entry> entries) {
        this.entries = new ArrayList<>(entries);
    }

    /**
     * Lists the claim, or keeps it listed. Its place is where it has been, or where it would be if it had been here for
     * as long as it has waited.
     */
    void add(Claim claim, Duration waited, long now) {
        int listed = indexOf(claim.owner().value());
        long until = now + listedMillis(claim);
        if (listed >= 0 && claim.mode().inOrder()) {
            entries.set(listed, entries.get(listed).renewed(claim.mode(), until));
            return;
        }
        remove(claim.owner().value());
        Entry entry = Entry.of(claim, now - waited.toMillis(), until, 0);
        entries.add(ahead(entry.since()), entry);
    }

    private static long listedMillis(Claim claim) {
        return claim.mode().inOrder() ? Timing.PLACE_MS : Timing.LISTED_MS;
    }

    void remove(String owner) {
        entries.removeIf(entry -> entry.owner().equals(owner));
    }

    /** Those ahead of this claim; all that have waited as long, if it is not listed. */
    List<Entry> aheadOf(Claim claim, long now) {
        int listed = indexOf(claim.owner().value());
        Duration waited = claim.waited();
        return entries.subList(0, listed >= 0 ? listed : ahead(now - (waited == null ? 0 : waited.toMillis())));
    }

    /**
     * Whether the claim is listed for what it wants, and may go on without asking for its place: more than half of the
     * time is left.
     */
    boolean isFresh(Claim claim, long now) {
        int listed = indexOf(claim.owner().value());
        if (listed < 0) {
            return false;
        }
        Entry entry = entries.get(listed);
        return entry.mode().equals(claim.mode()) && entry.until() - now > listedMillis(claim) / 2;
    }

    @Nullable
    Entry first() {
        return entries.isEmpty() ? null : entries.get(0);
    }

    List<Entry> all() {
        return entries;
    }

    void expire(long now) {
        entries.removeIf(entry -> entry.until() <= now);
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /**
     * How many have waited since then or longer: of two that have waited for as long the one that was listed first goes
     * first.
     */
    private int ahead(long since) {
        int index = 0;
        while (index < entries.size() && entries.get(index).since() <= since) {
            index++;
        }
        return index;
    }

    private int indexOf(String owner) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).owner().equals(owner)) {
                return i;
            }
        }
        return -1;
    }
}
