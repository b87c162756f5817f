package dev.interlock.console;

import dev.interlock.LockStatus;
import dev.interlock.spi.LockKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one look at a store has seen. Immutable. */
final class Snapshot {

    private final Instant at;
    private final boolean complete;
    private final NavigableMap<SeenName.Key, SeenName> names;
    private final Counts counts;

    /** The numbers of names, of holders, of waiting claims, and of names with a holder at risk. */
    record Counts(int names, int held, int waiting, int atRisk) {

        static final Counts NONE = new Counts(0, 0, 0, 0);

        static Counts of(SeenName name) {
            return new Counts(1, name.holders().size(), name.waiters().size(), name.isAtRisk() ? 1 : 0);
        }

        Counts plus(Counts that) {
            return new Counts(names + that.names, held + that.held, waiting + that.waiting, atRisk + that.atRisk);
        }

        void putInto(Map<String, Object> json) {
            json.put("names", names);
            json.put("held", held);
            json.put("waiting", waiting);
            json.put("atRisk", atRisk);
        }
    }

    /**
     * How a snapshot differs from the one before.
     *
     * @param changed names that are new, or look different
     * @param gone names that are not listed any more
     * @param begun holds and waits that are new
     * @param ended those that are not there any more, as they were seen last
     */
    record Difference(List<SeenName> changed, List<SeenName.Key> gone, List<Change> begun, List<Change> ended) {

        boolean isEmpty() {
            return changed.isEmpty() && gone.isEmpty();
        }
    }

    /** A claim of a name that has begun or ended; {@code now} is what the name looks like now, null if it is gone. */
    record Change(SeenName.Key key, SeenClaim claim, @Nullable SeenName now) {}

    private Snapshot(Instant at, boolean complete, NavigableMap<SeenName.Key, SeenName> names) {
        this.at = at;
        this.complete = complete;
        this.names = names;
        this.counts = names.values().stream().map(Counts::of).reduce(Counts.NONE, Counts::plus);
    }

    /** Before the first look. */
    static Snapshot none() {
        return new Snapshot(Instant.EPOCH, true, new TreeMap<>());
    }

    /** What the next look has seen, at this moment. */
    Snapshot next(List<LockStatus> locks, Instant now, boolean isComplete) {
        NavigableMap<SeenName.Key, SeenName> seen = new TreeMap<>();
        for (LockStatus lock : locks) {
            SeenName.Key key = new SeenName.Key(lock.name(), lock.kind());
            seen.put(key, SeenName.of(lock, now, names.get(key)));
        }
        return new Snapshot(now, isComplete, seen);
    }

    Instant at() {
        return at;
    }

    boolean isComplete() {
        return complete;
    }

    Counts counts() {
        return counts;
    }

    /** In their order. */
    Collection<SeenName> names() {
        return names.values();
    }

    /** Those whose name begins so, in their order. */
    Collection<SeenName> names(String prefix) {
        // No name that begins with the prefix comes before it, and no other comes between those that do.
        List<SeenName> found = new ArrayList<>();
        for (SeenName name : names.tailMap(first(prefix), true).values()) {
            if (!name.key().name().startsWith(prefix)) {
                break;
            }
            found.add(name);
        }
        return found;
    }

    /** The name, once for each kind under which it is in use. */
    Collection<SeenName> named(String name) {
        return names.subMap(first(name), true, first(name + '\0'), false).values();
    }

    @Nullable
    SeenName find(SeenName.Key key) {
        return names.get(key);
    }

    private static SeenName.Key first(String name) {
        // The first of the kinds.
        return new SeenName.Key(name, LockKind.LOCK);
    }

    /** How this one differs from an earlier one. */
    Difference since(Snapshot before) {
        Difference difference =
                new Difference(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        names.forEach((key, name) -> {
            SeenName earlier = before.names.get(key);
            if (earlier == null || !earlier.looksLike(name)) {
                difference.changed.add(name);
                compare(key, earlier, name, difference);
            }
        });
        before.names.forEach((key, earlier) -> {
            if (!names.containsKey(key)) {
                difference.gone.add(key);
                compare(key, earlier, null, difference);
            }
        });
        return difference;
    }

    private static void compare(
            SeenName.Key key, @Nullable SeenName earlier, @Nullable SeenName now, Difference difference) {
        Map<String, SeenClaim> then = claims(earlier);
        Map<String, SeenClaim> there = claims(now);
        then.forEach((id, claim) -> {
            SeenClaim same = there.get(id);
            if (same == null || !same.isSame(claim)) {
                difference.ended.add(new Change(key, claim, now));
            }
        });
        there.forEach((id, claim) -> {
            SeenClaim same = then.get(id);
            if (same == null || !same.isSame(claim)) {
                difference.begun.add(new Change(key, claim, now));
            }
        });
    }

    private static Map<String, SeenClaim> claims(@Nullable SeenName name) {
        Map<String, SeenClaim> claims = new HashMap<>();
        if (name != null) {
            name.holders().forEach(claim -> claims.put("hold " + claim.owner(), claim));
            name.waiters().forEach(claim -> claims.put("wait " + claim.owner(), claim));
        }
        return claims;
    }
}
