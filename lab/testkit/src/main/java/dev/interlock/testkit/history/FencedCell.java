package dev.interlock.testkit.history;

import java.util.function.LongUnaryOperator;

/**
 * A protected resource: a number that accepts writes in the order of their tokens and refuses late ones. A token as
 * large as the largest seen is accepted from the owner that brought it first. Thread-safe.
 */
public final class FencedCell {

    private long value;
    private long largestToken = Long.MIN_VALUE;
    private String owner = "";
    private long accepted;
    private long refused;

    /**
     * Writes, if the token is not too late.
     *
     * @return whether the write was accepted
     */
    public synchronized boolean write(long token, String writer, LongUnaryOperator change) {
        if (token < largestToken || (token == largestToken && !writer.equals(owner))) {
            refused++;
            return false;
        }
        largestToken = token;
        owner = writer;
        value = change.applyAsLong(value);
        accepted++;
        return true;
    }

    /** The value now. */
    public synchronized long value() {
        return value;
    }

    /** How many writes were accepted. */
    public synchronized long accepted() {
        return accepted;
    }

    /** How many writes were refused. */
    public synchronized long refused() {
        return refused;
    }
}
