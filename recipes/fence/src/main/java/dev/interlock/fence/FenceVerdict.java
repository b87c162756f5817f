package dev.interlock.fence;

/**
 * The decision of a guard about a write.
 *
 * @param accepted whether the write may be, or has been, done
 * @param maximum the largest token that the guard has seen, including that of an accepted write; 0 if it knows none
 */
public record FenceVerdict(boolean accepted, long maximum) {

    /**
     * {@return the verdict that the write may be done; its token is the largest now}
     *
     * @param token the token of the write
     */
    public static FenceVerdict accept(long token) {
        return new FenceVerdict(true, token);
    }

    /**
     * {@return the verdict that the write comes too late}
     *
     * @param maximum the largest token that the guard has seen
     */
    public static FenceVerdict refuse(long maximum) {
        return new FenceVerdict(false, maximum);
    }
}
