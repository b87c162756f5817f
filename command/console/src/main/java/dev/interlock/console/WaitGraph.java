package dev.interlock.console;

import dev.interlock.Party;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Who waits for whom: the nodes are threads of processes, an edge leads from one that waits for a name to one that
 * holds it, over all stores.
 *
 * <p>A name with many holders has an edge from each waiter to each holder. These are made only as far as they are
 * shown.
 */
final class WaitGraph {

    private static final int MOST_EDGES = 500;

    private final List<Party> parties = new ArrayList<>();
    private final List<WaitedFor> names = new ArrayList<>();

    /** The circle of each party, from 1; 0 for none. */
    private final int[] circles;

    /** A name that somebody waits for and somebody holds. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record WaitedFor(
            String store, SeenName name, List<SeenClaim> claims, int[] waiters, int[] holders, boolean certain) {}

    private record Edge(int from, int to, WaitedFor name, Instant since, int circle) {}

    /** The graph of what these watches have seen last. */
    WaitGraph(List<StoreWatch> watches) {
        Map<Object, Integer> numbers = new HashMap<>();
        for (StoreWatch watch : watches) {
            for (SeenName name : watch.state().snapshot().names()) {
                add(watch.id(), name, numbers);
            }
        }
        circles = Circles.find(
                parties.size(),
                names.stream()
                        .filter(WaitedFor::certain)
                        .map(name -> new Circles.Line(name.waiters, name.holders))
                        .toList());
    }

    private void add(String store, SeenName name, Map<Object, Integer> numbers) {
        boolean certain = Circles.isCertain(name.key().kind(), name.holders().size());
        List<SeenClaim> holders =
                name.holders().stream().filter(holder -> !holder.left()).toList();
        if (!holders.isEmpty() && !name.waiters().isEmpty()) {
            int[] from = name.waiters().stream()
                    .mapToInt(waiter -> number(waiter, numbers))
                    .toArray();
            int[] to =
                    holders.stream().mapToInt(holder -> number(holder, numbers)).toArray();
            names.add(new WaitedFor(store, name, name.waiters(), from, to, certain));
        }
    }

    private int number(SeenClaim claim, Map<Object, Integer> numbers) {
        return numbers.computeIfAbsent(Circles.identity(claim.owner(), claim.party()), unused -> {
            parties.add(claim.party());
            return parties.size() - 1;
        });
    }

    /** The number of circles. */
    int circleCount() {
        return Arrays.stream(circles).max().orElse(0);
    }

    /** Those of circles first, and one more than are shown if there are more. */
    private List<Edge> edges() {
        List<Edge> edges = new ArrayList<>();
        for (WaitedFor name : names) {
            addCircles(name, edges);
        }
        for (WaitedFor name : names) {
            addOthers(name, edges);
        }
        return edges;
    }

    private void addCircles(WaitedFor name, List<Edge> edges) {
        if (!name.certain) {
            return;
        }
        Map<Integer, List<Integer>> holders = new HashMap<>();
        for (int holder : name.holders) {
            if (circles[holder] > 0) {
                holders.computeIfAbsent(circles[holder], unused -> new ArrayList<>())
                        .add(holder);
            }
        }
        for (int i = 0; i < name.waiters.length; i++) {
            int from = name.waiters[i];
            for (int to : holders.getOrDefault(circles[from], List.of())) {
                if (edges.size() > MOST_EDGES) {
                    return;
                }
                edges.add(new Edge(from, to, name, name.claims.get(i).since(), circles[from]));
            }
        }
    }

    private void addOthers(WaitedFor name, List<Edge> edges) {
        for (int i = 0; i < name.waiters.length; i++) {
            int from = name.waiters[i];
            for (int to : name.holders) {
                if (edges.size() > MOST_EDGES) {
                    return;
                }
                // The others are there already, and no more than are shown.
                if (!name.certain || circles[from] == 0 || circles[from] != circles[to]) {
                    edges.add(new Edge(from, to, name, name.claims.get(i).since(), 0));
                }
            }
        }
    }

    /** In the shape of the API, without {@code now}. */
    Map<String, Object> json() {
        List<Edge> all = edges();
        List<Edge> shown = all.subList(0, Math.min(all.size(), MOST_EDGES));
        TreeSet<Integer> used = new TreeSet<>();
        shown.forEach(edge -> used.addAll(List.of(edge.from, edge.to)));
        Map<Integer, List<String>> members = new LinkedHashMap<>();
        List<Map<String, Object>> nodes = new ArrayList<>();
        for (int number : used) {
            Map<String, Object> node = new LinkedHashMap<>();
            node.put("id", id(number));
            SeenClaim.putParty(node, parties.get(number));
            node.put("circle", circles[number]);
            nodes.add(node);
            if (circles[number] > 0) {
                members.computeIfAbsent(circles[number], unused -> new ArrayList<>())
                        .add(id(number));
            }
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("complete", shown.size() == all.size());
        json.put("total", total());
        json.put("nodes", nodes);
        json.put("edges", shown.stream().map(WaitGraph::json).toList());
        json.put(
                "circles",
                members.entrySet().stream()
                        .map(entry -> Map.of("id", entry.getKey(), "nodes", entry.getValue()))
                        .toList());
        return json;
    }

    /** How many edges there are: from each waiter to each holder. */
    private long total() {
        return names.stream()
                .mapToLong(name -> (long) name.waiters.length * name.holders.length)
                .sum();
    }

    private static Map<String, Object> json(Edge edge) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("from", id(edge.from));
        json.put("to", id(edge.to));
        json.put("store", edge.name.store);
        json.putAll(edge.name.name.key().json());
        json.put("since", Times.text(edge.since));
        json.put("circle", edge.circle);
        return json;
    }

    private static String id(int number) {
        return "n" + (number + 1);
    }
}
