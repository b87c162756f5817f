package dev.interlock.cli.demo;

/**
 * A resource that is protected by fencing tokens: it remembers the highest it has seen and refuses a write with one
 * that is not higher.
 */
final class Register {

    private long highest;
    private int refused;

    /** Whether the write is accepted. */
    boolean write(long token) {
        if (token <= highest) {
            refused++;
            return false;
        }
        highest = token;
        return true;
    }

    /** The highest token that has written. */
    long highest() {
        return highest;
    }

    /** How many writes were refused. */
    int refused() {
        return refused;
    }
}
