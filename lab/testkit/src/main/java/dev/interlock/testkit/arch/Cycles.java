package dev.interlock.testkit.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The cycles of a graph: its strongly connected components of more than one node, found by Tarjan's algorithm (R.
 * Tarjan, Depth-first search and linear graph algorithms, 1972). Not thread-safe.
 */
final class Cycles {

    private final Map<String, Set<String>> graph;
    private final Set<Set<String>> found = new HashSet<>();

    /** The number of each visited node, by the order of the visits. */
    private final Map<String, Integer> index = new HashMap<>();

    /** The lowest number that a node reaches by nodes on the stack. */
    private final Map<String, Integer> low = new HashMap<>();

    private final Deque<String> stack = new ArrayDeque<>();
    private final Set<String> onStack = new HashSet<>();

    private Cycles(Map<String, Set<String>> graph) {
        this.graph = graph;
    }

    /**
     * The cycles of a graph.
     *
     * @param graph the nodes, each with those that it depends on; others than its keys are left out
     */
    static Set<Set<String>> of(Map<String, Set<String>> graph) {
        Cycles cycles = new Cycles(graph);
        for (String node : graph.keySet()) {
            if (!cycles.index.containsKey(node)) {
                cycles.visit(node);
            }
        }
        return cycles.found;
    }

    /**
     * The graph of dependencies between parts of some code. A constant that the compiler has copied, and what a sealed
     * type permits, are none.
     *
     * @param classes the classes
     * @param part the name of the part that a class belongs to
     */
    static Map<String, Set<String>> graph(Iterable<JavaClass> classes, Function<JavaClass, String> part) {
        Map<String, Set<String>> graph = new TreeMap<>();
        Set<JavaClass> known = new HashSet<>();
        classes.forEach(known::add);
        for (JavaClass type : known) {
            String from = part.apply(type);
            Set<String> targets = graph.computeIfAbsent(from, name -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .filter(known::contains)
                    .map(part)
                    .filter(to -> !to.equals(from))
                    .forEach(targets::add);
        }
        return graph;
    }

    private void visit(String node) {
        int number = index.size();
        index.put(node, number);
        low.put(node, number);
        stack.push(node);
        onStack.add(node);
        for (String next : graph.getOrDefault(node, Set.of())) {
            if (graph.containsKey(next) && !index.containsKey(next)) {
                visit(next);
                low.merge(node, low.get(next), Math::min);
            } else if (onStack.contains(next)) {
                low.merge(node, index.get(next), Math::min);
            }
        }
        if (low.get(node) == number) {
            takeCycle(node);
        }
    }

    /** Takes the component from the stack whose first node this is. */
    private void takeCycle(String first) {
        Set<String> component = new TreeSet<>();
        String member;
        do {
            member = stack.pop();
            onStack.remove(member);
            component.add(member);
        } while (!member.equals(first));
        if (component.size() > 1) {
            found.add(component);
        }
    }
}
