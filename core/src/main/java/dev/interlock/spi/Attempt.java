package dev.interlock.spi;

import java.time.Duration;

/** The store's answer to an acquire. */
public sealed interface Attempt {

    /** The largest fence: its tokens are {@code long}s, and a {@code double} has it exactly. */
    long LARGEST_FENCE = (1L << 53) - 1;

    /** How many fencing tokens there are for one fence: one for the grant, the others for hand-overs in the process. */
    long TOKENS_PER_FENCE = 1024;

    /** The fencing token of the grant with this fence; one beyond the range of fences is brought into it. */
    static long token(long fence) {
        return Math.max(0, Math.min(fence, LARGEST_FENCE)) * TOKENS_PER_FENCE;
    }

    /** Whether a store may give this fence: only then can tokens be made of it. */
    static boolean isFence(long fence) {
        return fence > 0 && fence <= LARGEST_FENCE;
    }

    /** Granted, with this fence. */
    static Attempt granted(long fence) {
        return new Granted(fence, Tether.NONE);
    }

    /** Granted, with this fence, for as long as this tether holds. */
    static Attempt granted(long fence, Tether tether) {
        return new Granted(fence, tether);
    }

    /** Not granted. */
    static Attempt busy(Duration retryAfter) {
        return new Busy(retryAfter);
    }

    /**
     * The claim stands in the store.
     *
     * @param fence from 1 to {@link #LARGEST_FENCE}, or the grant is refused; larger than that of every earlier grant
     *     of the same name; the same again if the same claim asks again
     * @param tether what the grant depends on besides its lease
     */
    record Granted(long fence, Tether tether) implements Attempt {}

    /**
     * Another claim holds the name, or comes first.
     *
     * @param retryAfter when to ask again if no wake comes: when the holder's lease ends or, in a store that cannot
     *     wake this client (yet), after its polling delay; not negative
     */
    record Busy(Duration retryAfter) implements Attempt {}
}
