package dev.interlock.jdbc;

import dev.interlock.spi.Mode;
import dev.interlock.support.rules.Mark;
import dev.interlock.support.rules.Waiter;

/** The column {@code state} of a claim. */
final class RowState {

    /** Holds a share, or permits. */
    static final String HELD = "H";

    private static final String WAITING = "W";

    /** Waits, has been woken, and may be overtaken until it asks. */
    private static final String WOKEN = "T";

    /** Waits, has been woken, and keeps its place. */
    private static final String WOKEN_IN_ORDER = "O";

    private static final String COUNTED = "C";
    private static final String SETTER = "S";
    private static final String FORCED = "F";

    private RowState() {}

    static String of(Waiter waiter) {
        if (!waiter.isWoken()) {
            return WAITING;
        }
        boolean keepsItsPlace = waiter.mode().inOrder() || waiter.mode() instanceof Mode.AwaitZero;
        return keepsItsPlace ? WOKEN_IN_ORDER : WOKEN;
    }

    static String of(Mark mark) {
        return switch (mark.kind()) {
            case COUNTED -> COUNTED;
            case SETTER -> SETTER;
            case FORCED -> FORCED;
            case RESERVED -> throw new IllegalArgumentException("A reservation is in the row of the name: " + mark);
        };
    }

    static boolean isWaiter(String state) {
        return state.equals(WAITING) || isWoken(state);
    }

    static boolean isWoken(String state) {
        return state.equals(WOKEN) || state.equals(WOKEN_IN_ORDER);
    }

    /** The kind of a mark; a state that this version does not know is left alone like a forced release. */
    static Mark.Kind markKind(String state) {
        return switch (state) {
            case COUNTED -> Mark.Kind.COUNTED;
            case SETTER -> Mark.Kind.SETTER;
            default -> Mark.Kind.FORCED;
        };
    }
}
