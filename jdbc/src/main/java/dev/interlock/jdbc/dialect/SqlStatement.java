package dev.interlock.jdbc.dialect;

/** The statements of which the verbs are made. Each names its parameters by {@link Parameters}. */
public enum SqlStatement {
    /**
     * Takes a lock that is free, over, kept for this claim or held by it, in one statement; returns the fence, or no
     * row if it is busy. The claim is listed as waiting no more. Only where {@link Dialect#takesAtOnce()}.
     */
    TAKE,
    /**
     * As {@link #TAKE}, for a name that has a row, only if the lock is free and nobody is listed: the least work for a
     * lock that is used again and again.
     */
    TAKE_AGAIN,
    /**
     * As {@link #TAKE}, for a name that has a row: that row as {@link #LOAD} reads it, with the fence in the column
     * after it if the lock was taken.
     */
    TAKE_OR_LOAD,
    /** Ends the claim that holds a lock, if it is not over and nobody is listed as waiting; one row if it did. */
    END,
    /** Makes the row of a name, if it is not there. */
    ENSURE,
    /** Locks the row of a name until the transaction ends; no row if it is not there. */
    LOCK,
    /**
     * As {@link #LOCK}, for a transaction that grants nothing: if it is forgotten in a crash, a claim lasts until its
     * lease ends.
     */
    LOCK_TO_END,
    /**
     * Locks the rows of {@link Dialect#triedAtOnce()} names until the transaction ends, and returns those that are
     * there and that no other transaction has locked: name, kind, and nothing. Only where
     * {@link Dialect#passesByLocks()} does not hold.
     */
    TRY_LOCK,
    /** As {@link #TRY_LOCK}, for the rows of claims: name, kind and owner. */
    TRY_LOCK_CLAIM,
    /** Reads the name and its claims. */
    LOAD,
    /** As {@link #LOAD}, with who they are. */
    INSPECT,
    /** Writes the row of a name, but for who its holder is. */
    SAVE_NAME,
    /** As {@link #SAVE_NAME}, and who its holder is. */
    SAVE_HOLDER,
    /** Removes the row of a name. */
    FORGET_NAME,
    /** Writes a new claim. */
    ADD_CLAIM,
    /** Writes a claim that is there, but for who it is. */
    SAVE_CLAIM,
    /** Removes a claim. */
    DROP_CLAIM,
    /** Removes those who have counted a latch. */
    FORGET_COUNTED,
    /** Tells a client that it is the turn of one of its claims. Only where {@link Dialect#wakes()}. */
    WAKE,
    /** Sets the lease of the holder of a lock anew; one row if the claim is held. */
    RENEW_HOLDER,
    /** Sets the lease of another held claim anew; one row if the claim is held. */
    RENEW_CLAIM,
    /**
     * As {@link #RENEW_HOLDER}; no row also if another transaction has it locked, see {@link Dialect#passesByLocks()}.
     */
    RENEW_UNLOCKED_HOLDER,
    /** As {@link #RENEW_CLAIM}; no row also if another transaction has it locked. */
    RENEW_UNLOCKED_CLAIM,
    /** Returns the names with a prefix that are held, and latches that count. */
    CATALOG,
    /** Returns the next claims after the cursor, and whether they are over. */
    PAGE_CLAIMS,
    /** Removes a claim if it is over. */
    SWEEP_CLAIM,
    /** Returns the next names after the cursor, and whether they have been unused for long. */
    PAGE_NAMES,
    /** Sets the last fence of the names that are gone, if it is larger. */
    RAISE_FENCE,
    /** Removes a name if it has been unused for long, and its fence is still that one. */
    SWEEP_NAME
}
