package dev.interlock.support.rules;

import dev.interlock.spi.OwnerId;

/**
 * Something that a name remembers of a claim for some time, besides that it holds or waits.
 *
 * @param kind what is remembered
 * @param owner the owner of the claim
 * @param until when it is forgotten
 * @param lasts the length that {@code until} was computed with; {@link NameState#UNKNOWN} if the store does not keep it
 */
public record Mark(Kind kind, OwnerId owner, long until, long lasts) implements Entry<Mark> {

    /** What is remembered. */
    public enum Kind {
        /** The free lock is reserved for the claim, whose turn it is: nobody else gets it. */
        RESERVED,
        /**
         * The claim was ended by force: its next renewal answers so. Or it has changed the capacity of a semaphore by a
         * number, and held nothing: the same request again does nothing.
         */
        FORCED,
        /** The claim has set the count of a latch: the same request again does nothing. */
        SETTER,
        /** The claim has counted a latch down: the same request again does nothing. */
        COUNTED
    }

    @Override
    public Mark lasting(long newUntil) {
        return new Mark(kind, owner, newUntil, lasts);
    }
}
