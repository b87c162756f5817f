package dev.interlock.console;

import dev.interlock.Party;
import dev.interlock.spi.LockKind;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
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
 */
final class WaitGraph {

    private static final int MOST_EDGES = 500;

    private final List<Party> parties = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();

    /** The circle of each node, from 1; 0 for none. */
    private final int[] circles;

    private final int circleCount;

    private record Edge(int from, int to, String store, SeenName name, Instant since, boolean certain) {}

    /** The graph of what these watches have seen last. */
    WaitGraph(List<StoreWatch> watches) {
        Map<Object, Integer> numbers = new HashMap<>();
        for (StoreWatch watch : watches) {
            for (SeenName name : watch.state().snapshot().names()) {
                addEdges(watch.id(), name, numbers);
            }
        }
        circles = new int[parties.size()];
        circleCount = findCircles();
    }

    private void addEdges(String store, SeenName name, Map<Object, Integer> numbers) {
        boolean certain =
                name.key().kind() != LockKind.SEMAPHORE || name.holders().size() == 1;
        for (SeenClaim waiter : name.waiters()) {
            for (SeenClaim holder : name.holders()) {
                if (!holder.left()) {
                    int from = number(waiter, numbers);
                    edges.add(new Edge(from, number(holder, numbers), store, name, waiter.since(), certain));
                }
            }
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
        for (int i = 0; i < parties.size(); i++) {
            next.add(new ArrayList<>());
            back.add(new ArrayList<>());
        }
        boolean[] waitsForItself = new boolean[parties.size()];
        for (Edge edge : edges) {
            if (edge.certain) {
                next.get(edge.from).add(edge.to);
                back.get(edge.to).add(edge.from);
                waitsForItself[edge.from] |= edge.from == edge.to;
            }
        }
        List<Integer> left = new ArrayList<>();
        boolean[] seen = new boolean[parties.size()];
        for (int i = 0; i < parties.size(); i++) {
            walk(i, next, seen, left);
        }
        int found = 0;
        boolean[] seenBack = new boolean[parties.size()];
        for (int i = left.size() - 1; i >= 0; i--) {
            List<Integer> part = new ArrayList<>();
            walk(left.get(i), back, seenBack, part);
            if (part.size() > 1 || (part.size() == 1 && waitsForItself[part.get(0)])) {
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

    private int circle(Edge edge) {
        return edge.certain && circles[edge.from] == circles[edge.to] ? circles[edge.from] : 0;
    }

    /** In the shape of the API, without {@code now}. */
    Map<String, Object> json() {
        List<Edge> shown = edges.stream()
                .sorted(Comparator.comparingInt(edge -> circle(edge) > 0 ? 0 : 1))
                .limit(MOST_EDGES)
                .toList();
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
        json.put("complete", shown.size() == edges.size());
        json.put("nodes", nodes);
        json.put("edges", shown.stream().map(this::json).toList());
        json.put(
                "circles",
                members.entrySet().stream()
                        .map(entry -> Map.of("id", entry.getKey(), "nodes", entry.getValue()))
                        .toList());
        return json;
    }

    private Map<String, Object> json(Edge edge) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("from", id(edge.from));
        json.put("to", id(edge.to));
        json.put("store", edge.store);
        json.putAll(edge.name.key().json());
        json.put("since", Times.text(edge.since));
        json.put("circle", circle(edge));
        return json;
    }

    private static String id(int number) {
        return "n" + (number + 1);
    }
}
