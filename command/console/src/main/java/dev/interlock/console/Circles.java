package dev.interlock.console;

import dev.interlock.Party;
import dev.interlock.spi.LockKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Finds who waits for each other. The nodes are threads of processes. A circle is a strongly connected part: everybody
 * in it waits, over others of it, for itself.
 *
 * <p>A waiting or handed-over claim keeps the name of the thread that made it. So a circle is one of claims for
 * certain, and one of threads as far as the store knows them.
 */
public final class Circles {

    private Circles() {}

    /**
     * A name, and who stands at it: each that waits does so for each that holds.
     *
     * @param waiters the numbers of those who wait
     * @param holders the numbers of those who hold
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Line(int[] waiters, int[] holders) {}

    /** By what a thread is known. A client of another library is known by its owner alone. */
    public static Object identity(String owner, Party party) {
        return party.pid() == 0 ? owner : party;
    }

    /** Whether its holders make circles. Of a semaphore with several holders any may let go. */
    public static boolean isCertain(LockKind kind, int holders) {
        return kind != LockKind.SEMAPHORE || holders == 1;
    }

    /**
     * Finds the circles. A line of many waiters and holders is a node of its own, to which its waiters lead, and which
     * leads to its holders; so the work is linear in their number.
     *
     * <p>Kosaraju's way: the order in which a walk along the edges leaves the nodes, and then walks against the edges,
     * from the last of them on, each of which finds a strongly connected part.
     *
     * @param threads how many threads there are; their numbers begin with 0
     * @return the circle of each thread, from 1; 0 for none
     */
    public static int[] find(int threads, List<Line> lines) {
        int nodes = threads + lines.size();
        List<List<Integer>> next = new ArrayList<>();
        List<List<Integer>> back = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            next.add(new ArrayList<>());
            back.add(new ArrayList<>());
        }
        for (int i = 0; i < lines.size(); i++) {
            int node = threads + i;
            for (int waiter : lines.get(i).waiters) {
                next.get(waiter).add(node);
                back.get(node).add(waiter);
            }
            for (int holder : lines.get(i).holders) {
                next.get(node).add(holder);
                back.get(holder).add(node);
            }
        }
        List<Integer> left = new ArrayList<>();
        boolean[] seen = new boolean[nodes];
        for (int i = 0; i < nodes; i++) {
            walk(i, next, seen, left);
        }
        int found = 0;
        int[] circles = new int[threads];
        boolean[] seenBack = new boolean[nodes];
        for (int i = left.size() - 1; i >= 0; i--) {
            List<Integer> part = new ArrayList<>();
            walk(left.get(i), back, seenBack, part);
            if (part.size() > 1) {
                found++;
                for (int node : part) {
                    if (node < threads) {
                        circles[node] = found;
                    }
                }
            }
        }
        return circles;
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
}
