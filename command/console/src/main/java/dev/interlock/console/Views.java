package dev.interlock.console;

import dev.interlock.spi.LockKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What is shown of the names of some stores: totals, lists, and the tree. Computed from the last look at each. */
final class Views {

    private static final int TOP = 10;

    private final List<StoreWatch> watches;

    Views(List<StoreWatch> watches) {
        this.watches = watches;
    }

    /** A name, and the store in which it is. */
    private record Place(StoreWatch watch, SeenName name) {

        Map<String, Object> row() {
            return name.row(watch.id(), holds());
        }

        int holds() {
            return watch.holds(name.key());
        }

        int waiting() {
            return name.waiters().size();
        }
    }

    private static final Comparator<Place> BY_NAME = Comparator.<Place, SeenName.Key>comparing(
                    place -> place.name.key())
            .thenComparing(place -> place.watch.id());

    private static final Comparator<Place> LONGEST_HELD =
            Comparator.comparing(place -> place.name.holders().get(0).since());

    private static final Comparator<Place> MOST_WAITERS =
            Comparator.comparingInt(Place::waiting).reversed();

    private static final Comparator<Place> BUSIEST =
            Comparator.comparingInt(Place::holds).reversed();

    /** The totals of all stores. */
    Map<String, Object> totals() {
        Snapshot.Counts counts = watches.stream()
                .map(watch -> watch.state().snapshot().counts())
                .reduce(Snapshot.Counts.NONE, Snapshot.Counts::plus);
        Map<String, Object> json = new LinkedHashMap<>();
        counts.putInto(json);
        json.put("circles", new WaitGraph(watches).circleCount());
        json.put("elections", count(SeenName::isElection));
        json.put("semaphores", count(name -> name.key().kind() == LockKind.SEMAPHORE));
        json.put("latches", count(name -> name.key().kind() == LockKind.LATCH));
        return json;
    }

    private int count(Predicate<SeenName> which) {
        return (int) places(which).stream().count();
    }

    /** The three lists of the overview. */
    Map<String, Object> tops() {
        Map<String, Object> json = new LinkedHashMap<>();
        List<Place> all = places(name -> true);
        json.put("busiest", top(all, place -> place.holds() > 0, BUSIEST));
        json.put("longestHeld", top(all, place -> !place.name.holders().isEmpty(), LONGEST_HELD));
        json.put("mostWaited", top(all, place -> place.waiting() > 0, MOST_WAITERS));
        return json;
    }

    private static List<Map<String, Object>> top(List<Place> all, Predicate<Place> which, Comparator<Place> order) {
        return all.stream()
                .filter(which)
                .sorted(order.thenComparing(BY_NAME))
                .limit(TOP)
                .map(Place::row)
                .toList();
    }

    private List<Place> places(Predicate<SeenName> which) {
        List<Place> places = new ArrayList<>();
        for (StoreWatch watch : watches) {
            for (SeenName name : watch.state().snapshot().names()) {
                if (which.test(name)) {
                    places.add(new Place(watch, name));
                }
            }
        }
        return places;
    }

    /** Those that are held, waited for, at risk; of a kind, or an election; null means all. */
    static Predicate<SeenName> filter(@Nullable String word) {
        return word == null
                ? name -> true
                : switch (word) {
                    case "held" -> name -> !name.holders().isEmpty();
                    case "waiting" -> name -> !name.waiters().isEmpty();
                    case "at_risk" -> SeenName::isAtRisk;
                    case "election" -> SeenName::isElection;
                    default -> name -> name.key().kindText().equals(word);
                };
    }

    /** Rows of a flat list; of {@code sort} null means by name. */
    Map<String, Object> names(Predicate<SeenName> which, @Nullable String sort, int offset, int limit) {
        List<Place> found = places(which);
        found.sort(order(sort));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("total", found.size());
        json.put("offset", offset);
        json.put("rows", part(found, offset, limit).stream().map(Place::row).toList());
        return json;
    }

    private static Comparator<Place> order(@Nullable String sort) {
        if (sort == null || sort.equals("name")) {
            return BY_NAME;
        }
        Comparator<Place> order =
                switch (sort) {
                    case "held" ->
                        Comparator.<Place>comparingInt(
                                        place -> place.name.holders().isEmpty() ? 1 : 0)
                                .thenComparing((one, other) ->
                                        one.name.holders().isEmpty() ? 0 : LONGEST_HELD.compare(one, other));
                    case "waiting" -> MOST_WAITERS;
                    default -> BUSIEST;
                };
        return order.thenComparing(BY_NAME);
    }

    private static <T> List<T> part(List<T> list, int offset, int limit) {
        int from = Math.min(offset, list.size());
        return list.subList(from, from + Math.min(limit, list.size() - from));
    }

    /** A group of the tree: the names below a prefix. */
    private static final class Group {
        private Snapshot.Counts counts = Snapshot.Counts.NONE;
        private @Nullable SeenName only;
    }

    /** The level of the tree below this prefix. */
    static Map<String, Object> tree(StoreWatch watch, String prefix, int offset, int limit) {
        Collection<SeenName> below = watch.state().snapshot().names(prefix);
        Map<String, Group> groups = new TreeMap<>();
        List<SeenName> leaves = new ArrayList<>();
        for (SeenName name : below) {
            String text = name.key().name();
            int end = groupEnd(text, prefix.length());
            if (end < 0) {
                leaves.add(name);
            } else {
                Group group = groups.computeIfAbsent(text.substring(0, end), unused -> new Group());
                group.only = group.counts.names() == 0 ? name : null;
                group.counts = group.counts.plus(Snapshot.Counts.of(name));
            }
        }
        List<Map<String, Object>> nodes = new ArrayList<>();
        groups.forEach((start, group) -> {
            if (group.only == null) {
                nodes.add(node(start, prefix, group.counts));
            } else {
                leaves.add(group.only);
            }
        });
        leaves.sort(Comparator.comparing(SeenName::key));
        int groupCount = nodes.size();
        List<Map<String, Object>> shown = new ArrayList<>(part(nodes, offset, limit));
        part(leaves, Math.max(0, offset - groupCount), limit - shown.size())
                .forEach(name -> shown.add(leaf(watch, name, prefix)));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("store", watch.id());
        json.put("prefix", prefix);
        json.put("total", groupCount + leaves.size());
        json.put("offset", offset);
        json.put("nodes", shown);
        return json;
    }

    /** Behind the first separator that has something behind it; -1 if there is none. */
    private static int groupEnd(String name, int from) {
        for (int i = from; i < name.length() - 1; i++) {
            if (":/.".indexOf(name.charAt(i)) >= 0) {
                return i + 1;
            }
        }
        return -1;
    }

    private static Map<String, Object> node(String start, String prefix, Snapshot.Counts counts) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", "group");
        json.put("prefix", start);
        json.put("label", start.substring(prefix.length()));
        counts.putInto(json);
        return json;
    }

    private static Map<String, Object> leaf(StoreWatch watch, SeenName name, String prefix) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", "name");
        json.put("label", name.key().name().substring(prefix.length()));
        json.put("row", new Place(watch, name).row());
        return json;
    }
}
