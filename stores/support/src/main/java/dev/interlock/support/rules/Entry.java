package dev.interlock.support.rules;

import dev.interlock.spi.OwnerId;

/** What a name has of one claim, until some moment: a {@code Holder}, a {@code Waiter} or a {@code Mark}. */
public interface Entry<E extends Entry<E>> {

    /** The owner of the claim. */
    OwnerId owner();

    /** When it is over. */
    long until();

    /** The length that {@code until} was computed with; {@link NameState#UNKNOWN} if the store does not keep it. */
    long lasts();

    /** The same until an earlier moment, because the clock by which it was made has been set back. */
    E lasting(long newUntil);
}
