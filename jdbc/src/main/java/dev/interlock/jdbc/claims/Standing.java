package dev.interlock.jdbc.claims;

/** What a claim is to its name. */
enum Standing {
    /** It holds the name, or a share of it. */
    HELD("H"),
    /** The free name is kept for it, for a moment: it is its turn, and it has to be asked for. */
    RESERVED("R"),
    /** It waits. */
    WAITING("W"),
    /** It waits, and has been told that it is its turn; not told again before it has asked. */
    CALLED("T"),
    /** It waits in order, and has been told that it is its turn, which it keeps. */
    TOLD("O"),
    /** It has counted a latch down, and does so once. */
    COUNTED("C"),
    /** It has set the count of a latch. */
    SETTER("S"),
    /** It was ended by force, of which its owner is to hear. */
    FORCED("F");

    private final String code;

    Standing(String code) {
        this.code = code;
    }

    /** As it stands in the tables. */
    String code() {
        return code;
    }

    /** The standing of a code; whatever this version does not know is a mark that it leaves alone. */
    static Standing of(String code) {
        for (Standing standing : values()) {
            if (standing.code.equals(code)) {
                return standing;
            }
        }
        return FORCED;
    }

    boolean waits() {
        return isInLine() || this == CALLED;
    }

    /** Whether it waits for its turn, or has it and keeps it. */
    boolean isInLine() {
        return this == WAITING || this == TOLD;
    }
}
