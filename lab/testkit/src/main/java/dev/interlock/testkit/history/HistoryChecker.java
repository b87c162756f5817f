package dev.interlock.testkit.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Collects holds and checks them: for each name no two overlap (I2), tokens strictly increase in the order of their
 * beginnings (I3), and no token has two owners (I1). Thread-safe.
 */
public final class HistoryChecker {

    private final Queue<Hold> holds = new ConcurrentLinkedQueue<>();

    /** Adds one hold. */
    public void add(Hold hold) {
        holds.add(hold);
    }

    /** Adds a hold that ends now, before its release. */
    public void addUntilNow(String name, String owner, long token, long beginNanos) {
        add(new Hold(name, owner, token, beginNanos, System.nanoTime()));
    }

    /** How many holds there are. */
    public int size() {
        return holds.size();
    }

    /** All holds. */
    public List<Hold> holds() {
        return List.copyOf(holds);
    }

    /** What is wrong, one line for each violation; empty if nothing is. */
    public List<String> violations() {
        List<String> violations = new ArrayList<>();
        Map<String, List<Hold>> byName = holds.stream().collect(Collectors.groupingBy(Hold::name));
        for (List<Hold> ofName : byName.values()) {
            long origin = ofName.get(0).beginNanos();
            // Relative to one of them: the clock may be negative or wrap.
            Function<Hold, Long> begin = hold -> hold.beginNanos() - origin;
            ofName.sort(Comparator.comparing(begin).thenComparing(hold -> hold.endNanos() - origin));
            checkOrder(ofName, violations);
            checkOwners(ofName, violations);
        }
        return violations;
    }

    /**
     * Fails if anything is wrong, or if there is nothing to check.
     *
     * @throws AssertionError with the first violations
     */
    public void check() {
        if (holds.isEmpty()) {
            throw new AssertionError("The history is empty: nothing was held, so nothing is proven");
        }
        List<String> violations = violations();
        if (!violations.isEmpty()) {
            throw new AssertionError(violations.size() + " violations among " + holds.size() + " holds:\n"
                    + violations.stream().limit(10).collect(Collectors.joining("\n")));
        }
    }

    private static void checkOrder(List<Hold> inOrder, List<String> violations) {
        Hold longest = inOrder.get(0);
        Hold previous = longest;
        for (Hold hold : inOrder.subList(1, inOrder.size())) {
            if (hold.beginNanos() - longest.endNanos() < 0) {
                violations.add(
                        "overlap of " + (longest.endNanos() - hold.beginNanos()) + " ns: " + longest + " and " + hold);
            }
            if (hold.token() <= previous.token()) {
                violations.add("token does not increase: " + previous + " and then " + hold);
            }
            if (hold.endNanos() - longest.endNanos() > 0) {
                longest = hold;
            }
            previous = hold;
        }
    }

    private static void checkOwners(Collection<Hold> ofName, List<String> violations) {
        Map<Long, String> owners = new HashMap<>();
        for (Hold hold : ofName) {
            String other = owners.putIfAbsent(hold.token(), hold.owner());
            if (other != null && !other.equals(hold.owner())) {
                violations.add("token " + hold.token() + " has two owners: " + other + " and " + hold.owner());
            }
        }
    }
}
