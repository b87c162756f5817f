package dev.interlock.barrier;

import dev.interlock.barrier.BrokenGenerationException.Reason;
import dev.interlock.spi.Attempt;

/**
 * How a generation has ended, as the count of its latch.
 *
 * @param count 0: it is open; 1: it has passed; 2: void; otherwise the reason why it is broken, plus eight times the
 *     mark of the party that is the cause
 */
record Outcome(int count) {

    static final Outcome OPEN = new Outcome(0);
    static final Outcome PASSED = new Outcome(1);
    static final Outcome VOID = new Outcome(2);

    /** How many ends there are: the codes of the reasons are below it. */
    private static final int CODES = 8;

    private static final int MARKS = Integer.MAX_VALUE / CODES + 1;

    /** Broken because of the party with this token; 0 if it is none that waited. */
    static Outcome broken(Reason reason, long token) {
        return new Outcome(reason.code() + CODES * mark(token));
    }

    /** What is left of a token within a count: enough to tell the parties of a generation apart. */
    private static int mark(long token) {
        return (int) (token / Attempt.TOKENS_PER_FENCE % MARKS);
    }

    boolean isBroken() {
        return count > VOID.count();
    }

    /** Whether the party with this token is the cause. */
    boolean isBecauseOf(long token) {
        return count / CODES == mark(token);
    }

    Reason reason() {
        for (Reason reason : Reason.values()) {
            if (reason.code() == count % CODES) {
                return reason;
            }
        }
        throw new IllegalStateException("The end of a generation has a count that no barrier sets: count=" + count);
    }
}
