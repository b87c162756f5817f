package dev.interlock.simulation;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The legal moves of the engine's state machines, and how often each was made. */
final class Transitions {

    /** The enums of states; each has a method {@code next()} with the legal moves. */
    private static final String[] MACHINES = {"ClaimState", "ReleaseState", "RetentionState"};

    private Transitions() {}

    /** The table, for people; empty if nothing counts the moves. */
    static String describe() {
        Map<String, Long> counts = counts();
        if (counts.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("moves of the state machines\n");
        counts.forEach((move, count) -> Coverage.row(text, move, count));
        return text.toString();
    }

    /** The legal moves that nobody has made; empty if nothing counts the moves. */
    static List<String> unseen() {
        return counts().entrySet().stream()
                .filter(move -> move.getValue() == 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Each legal move, in the order of the tables, with its count; empty if nothing counts the moves. */
    private static Map<String, Long> counts() {
        Map<String, Long> made = Moves.counts();
        Map<String, Long> counts = new LinkedHashMap<>();
        if (made.isEmpty()) {
            return counts;
        }
        for (String machine : MACHINES) {
            for (Enum<?> from : states(machine)) {
                for (Object to : next(from)) {
                    String move = Moves.nameOf(from, (Enum<?>) to);
                    counts.put(move, made.getOrDefault(move, 0L));
                }
            }
        }
        return counts;
    }

    private static Enum<?>[] states(String machine) {
        try {
            return (Enum<?>[]) Class.forName("dev.interlock.engine." + machine).getEnumConstants();
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("The engine has no such states: " + machine, e);
        }
    }

    private static Set<?> next(Enum<?> state) {
        try {
            Method next = state.getDeclaringClass().getDeclaredMethod("next");
            next.setAccessible(true);
            return (Set<?>) next.invoke(state);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The states have no table of moves: " + state.getDeclaringClass(), e);
        }
    }
}
