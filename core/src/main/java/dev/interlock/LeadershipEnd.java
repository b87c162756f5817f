package dev.interlock;

import org.jspecify.annotations.Nullable;

/**
 * Why a leadership has ended.
 *
 * @param reason what ended it
 * @param lossCause why the lease was lost; null unless the reason is {@link Reason#LOST}
 */
@SuppressWarnings("exports")
public record LeadershipEnd(Reason reason, @Nullable LossCause lossCause) {

    /** What ended a leadership. */
    public enum Reason {
        /** The candidate gave it up, or its task returned. */
        ABDICATED,
        /** The candidate left the election, or its client was closed. */
        LEFT,
        /** The lease was lost. */
        LOST
    }

    @Override
    public String toString() {
        return lossCause == null ? reason.toString() : reason + "(" + lossCause + ")";
    }
}
