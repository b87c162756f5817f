package dev.interlock.simulation;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;

/** The legal moves of the engine's state machines, and how often each was made. */
final class Transitions {

    /** The enums of states; each has a method {@code next()} with the legal moves. */
    private static final String[] MACHINES = {"ClaimState", "ReleaseState", "RetentionState"};

    private Transitions() {}

    /** The table, for people; empty if nothing counts the moves. */
    static String describe() {
        Map<String, Long> counts = Moves.counts();
        if (counts.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("moves of the state machines\n");
        for (String machine : MACHINES) {
            for (Enum<?> from : states(machine)) {
                for (Object to : next(from)) {
                    String move = Moves.nameOf(from, (Enum<?>) to);
                    Coverage.row(text, move, counts.getOrDefault(move, 0L));
                }
            }
        }
        return text.toString();
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
