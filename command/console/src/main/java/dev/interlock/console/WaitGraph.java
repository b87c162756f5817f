package dev.interlock.console;

import dev.interlock.Party;
import dev.interlock.spi.LockKind;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Who waits for whom: the nodes are threads of processes, an edge leads from one that waits for a name to one that
 * holds it, over all stores. A circle is a strongly connected part: everybody in it waits, over others of it, for
 * itself.
 *
 * <p>An edge over a semaphore with several holders makes no circle, since any other of them may let go.
 *
 * <p>A name with many holders has an edge from each waiter to each holder. These are made only as far as they are
 * shown. To find circles the name is a node of its own, to which its waiters lead, and which leads to its holders.
 */
final class WaitGraph {

    private static final int MOST_EDGES = 500;

    private final List<Party> parties = new ArrayList<>();
    private final List<WaitedFor> names = new ArrayList<>();

    /** The circle of each party and, behind them, of each name, from 1; 0 for none. */
    private final int[] circles;

    private final int circleCount;

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
        circles = new int[parties.size() + names.size()];
        circleCount = findCircles();
    }

    private void add(String store, SeenName name, Map<Object, Integer> numbers) {
        boolean certain =
                name.key().kind() != LockKind.SEMAPHORE || name.holders().size() == 1;
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

    /** A client of another library is known by its owner alone. */
    private int number(SeenClaim claim, Map<Object, Integer> numbers) {
        Object identity = claim.party().pid() == 0 ? claim.owner() : claim.party();
        return numbers.computeIfAbsent(identity, unused -> {
            parties.add(claim.party());
            return parties.size() - 1;
        });
    }

    /** The number of circles. */
    int circleCount() {
        return circleCount;
    }

    /**
     * Kosaraju's way: the order in which a walk along the edges leaves the nodes, and then walks against the edges,
     * from the last of them on, each of which finds a strongly connected part.
     */
    private int findCircles() {
        List<List<Integer>> next = new ArrayList<>();
        List<List<Integer>> back = new ArrayList<>();
        for (int i = 0; i < circles.length; i++) {
            next.add(new ArrayList<>());
            back.add(new ArrayList<>());
        }
        for (int i = 0; i < names.size(); i++) {
            WaitedFor name = names.get(i);
            if (name.certain) {
                int node = parties.size() + i;
                for (int waiter : name.waiters) {
                    next.get(waiter).add(node);
                    back.get(node).add(waiter);
                }
                for (int holder : name.holders) {
                    next.get(node).add(holder);
                    back.get(holder).add(node);
                }
            }
        }
        List<Integer> left = new ArrayList<>();
        boolean[] seen = new boolean[circles.length];
        for (int i = 0; i < circles.length; i++) {
            walk(i, next, seen, left);
        }
        int found = 0;
        boolean[] seenBack = new boolean[circles.length];
        for (int i = left.size() - 1; i >= 0; i--) {
            List<Integer> part = new ArrayList<>();
            walk(left.get(i), back, seenBack, part);
            if (part.size() > 1) {
                found++;
                for (int node : part) {
                    circles[node] = found;
                }
            }
        }
        return found;
    }

    /** Adds the nodes that are reached and not seen yet in the order in which the walk leaves them. Not recursive. */
    private static void walk(int from, List<List<Integer>> next, boolean[] seen, List<Integer> left) {
        if (seen[from]) {
            return;
        }
        seen[from] = true;
        Deque<int[]> path = new ArrayDeque<>();
        path.push(new int[] {from, 0});
        while (!path.isEmpty()) {
            int[] at = path.element();
            List<Integer> neighbours = next.get(at[0]);
            if (at[1] == neighbours.size()) {
                left.add(at[0]);
                path.pop();
            } else {
                int to = neighbours.get(at[1]++);
                if (!seen[to]) {
                    seen[to] = true;
                    path.push(new int[] {to, 0});
                }
            }
        }
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
