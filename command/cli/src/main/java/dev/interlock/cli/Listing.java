package dev.interlock.cli;

import dev.interlock.LockStatus;
import dev.interlock.cli.StatusView.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Locks of a store.
 *
 * @param locks in the order of their names, at most as many as the limit
 * @param limit the most to list
 * @param goesOn whether there are more
 * @param total how many there are in all; null if nobody has counted them, and if none is missing
 */
record Listing(List<LockStatus> locks, int limit, boolean goesOn, @Nullable Integer total) {

    /** Of one more than the limit, if there are so many. */
    static Listing of(List<LockStatus> found, int limit) {
        boolean goesOn = found.size() > limit;
        return new Listing(goesOn ? found.subList(0, limit) : found, limit, goesOn, null);
    }

    /** One that goes on, counted a moment later. If others have let go since, the number is no total. */
    Listing withTotal(int counted) {
        return new Listing(locks, limit, goesOn, counted > limit ? counted : null);
    }

    /**
     * Those of this listing that come first in another order.
     *
     * @param olderThan only locks that somebody has held for longer; null for all
     * @param most the most to list
     */
    Listing arranged(TopOrder order, @Nullable Duration olderThan, int most) {
        Comparator<Entry> entries = order.comparator();
        List<LockStatus> found = locks.stream()
                .filter(lock -> olderThan == null
                        || lock.holders().stream()
                                .anyMatch(holder -> holder.heldFor().compareTo(olderThan) > 0))
                .sorted(Comparator.comparing(lock -> first(lock, entries), entries))
                .toList();
        Listing cut = of(found, most);
        return goesOn ? new Listing(cut.locks, most, true, null) : cut.withTotal(found.size());
    }

    private static Entry first(LockStatus lock, Comparator<Entry> order) {
        return Collections.min(StatusView.entries(lock), order);
    }

    /** What is said below a list that goes on, for people; empty for one that is whole. */
    String rest() {
        return goesOn ? rest("first", limit, total) : "";
    }

    /** For programs: the locks, and at the end of a list that goes on an object that says so. */
    List<Map<String, Object>> json() {
        List<Map<String, Object>> json =
                new ArrayList<>(locks.stream().map(StatusView::json).toList());
        if (goesOn) {
            json.add(more(limit, total));
        }
        return json;
    }

    /** The last object of an array that a limit has cut. */
    static Map<String, Object> more(int limit, @Nullable Integer total) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("more", true);
        json.put("limit", limit);
        if (total != null) {
            json.put("total", total);
        }
        return json;
    }

    /** The line below a list that a limit has cut. */
    static String rest(String which, int limit, @Nullable Integer total) {
        return "the " + which + " " + limit + (total == null ? ", and there are more" : " of " + total)
                + ": see --limit\n";
    }
}
