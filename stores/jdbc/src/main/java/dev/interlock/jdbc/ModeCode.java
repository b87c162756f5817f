package dev.interlock.jdbc;

import dev.interlock.spi.Mode;

/** The columns of a mode: a letter and a number of permits. */
final class ModeCode {

    private ModeCode() {}

    static String letter(Mode mode) {
        if (mode instanceof Mode.Exclusive) {
            return mode.inOrder() ? "F" : "X";
        }
        if (mode instanceof Mode.Shared) {
            return "S";
        }
        return mode instanceof Mode.Permits ? "P" : "Z";
    }

    static int permits(Mode mode) {
        return mode instanceof Mode.Permits permits ? permits.count() : 0;
    }

    /**
     * The mode of a letter. The capacity of a semaphore is in the row of the name. A holder has at least one permit: a
     * negative number would make room for others.
     */
    static Mode of(String letter, int permits, int capacity) {
        return switch (letter) {
            case "F" -> Mode.fair();
            case "S" -> Mode.shared();
            case "P" -> new Mode.Permits(Math.max(1, permits), capacity);
            case "Z" -> new Mode.AwaitZero();
            default -> Mode.exclusive();
        };
    }
}
