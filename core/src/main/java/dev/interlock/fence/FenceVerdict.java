package dev.interlock.fence;

/**
 * What a guard says to a write.
 *
 * @param accepted whether the write may be, or has been, done
 * @param maximum the largest token that the guard has seen, that of an accepted write included; 0 if it knows none
 */
public record FenceVerdict(boolean accepted, long maximum) {

    /** The write is in order; its token is the largest now. */
    public static FenceVerdict accept(long token) {
        return new FenceVerdict(true, token);
    }

    /** The write comes too late. */
    public static FenceVerdict refuse(long maximum) {
        return new FenceVerdict(false, maximum);
    }
}
