package dev.interlock.jdbc;

/** The statements of which the verbs are made. Each names its parameters by {@link Values}; each dialect has its own text for it. */
enum Step {
    /** Takes the name if it is free, expired, reserved for this claim or already held by it; returns the fence, or no row if it is busy. Whoever has
     * the name is listed as waiting no more. */
    TAKE,
    /** Returns what stands in the way of this claim, as {@link Look}; no row if nothing does. */
    LOOK,
    /** Lists the claim as waiting, or keeps it listed. */
    LIST,
    /** Ends the claim if it is held and nobody waits; returns whether it had not expired, or no row if it did not do so. */
    END_UNCONTENDED,
    /** Returns whether the claim has the name, and then whether as a holder with time left (1) or not (0). */
    STANDING,
    /** Gives the name to the claim that has waited longest, as a reservation; returns that claim's owner, or no row if nobody waits long enough.
     * It is listed as waiting no more. */
    RESERVE,
    /** Removes what this claim has of the name. */
    DROP,
    /** Removes a claim from the waiting. */
    UNLIST,
    /** Notes that the claim was ended by force. */
    MARK_FORCED,
    /** Sets the lease anew; returns a row if the claim is held. */
    RENEW,
    /** Returns the name of the {@link dev.interlock.spi.Renewal} that says why the claim is not held. */
    CAUSE,
    /** Cuts a lease that ends later than its length allows, which is what a clock leaves behind that was set back. */
    CUT,
    /** Returns who holds and who waits for one name, holders first, then by age. */
    INSPECT,
    /** Returns who holds and who waits for the held names with a prefix, by name, then as {@link #INSPECT}. */
    CATALOG,
    /** Removes expired holders among some names after the cursor. */
    SWEEP_HELD,
    /** Returns where the next such sweep begins; no row at the end. */
    NEXT_HELD,
    /** Removes expired waiters among some entries after the cursor. */
    SWEEP_WAITING,
    /** Returns where the next such sweep begins; no row at the end. */
    NEXT_WAITING,
    /** Removes old marks of force. */
    SWEEP_FORCED
}
