package dev.interlock.jdbc.dialect;

/** The statements that the operations run. */
public enum SqlStatement {
    /**
     * Acquires, in one statement, a lock that is free or expired, reserved for this claim or held by it. Returns the
     * fence, or no row if the lock is busy. The claim is not listed as waiting any more. Only where
     * {@link Dialect#canAcquireAtOnce()}.
     */
    ACQUIRE,
    /**
     * As {@link #ACQUIRE}, for a name that has a row, only if the lock is free and nobody is listed: the least work for
     * a lock that is used again and again.
     */
    ACQUIRE_EXISTING,
    /**
     * As {@link #ACQUIRE}, for a name that has a row. Returns that row as {@link #LOAD} does, with the fence in one
     * more column if the lock was acquired.
     */
    ACQUIRE_OR_LOAD,
    /** Releases the claim that holds a lock, if it has not expired and nobody is listed; updates one row if it did. */
    RELEASE,
    /** Inserts the row of a name, if it does not exist. */
    INSERT_NAME,
    /** Locks the row of a name until the transaction ends; returns no row if it does not exist. */
    LOCK_NAME,
    /**
     * As {@link #LOCK_NAME}, for a transaction that grants nothing: if a crash forgets it, a claim lasts until its
     * lease ends.
     */
    LOCK_TO_RELEASE,
    /**
     * Locks the rows of {@link Dialect#tryLockBatch()} names until the transaction ends, and returns those that exist
     * and that no other transaction has locked: name, kind, and an empty owner. Only where
     * {@link Dialect#skipsLockedRows()} is false.
     */
    TRY_LOCK_NAMES,
    /** As {@link #TRY_LOCK_NAMES}, for the rows of claims: name, kind and owner. */
    TRY_LOCK_CLAIMS,
    /** Reads the name and its claims. */
    LOAD,
    /** As {@link #LOAD}, with the parties. */
    INSPECT,
    /** Updates the row of a name, but not the party of its holder. */
    UPDATE_NAME,
    /** As {@link #UPDATE_NAME}, with the party of the holder. */
    UPDATE_HOLDER,
    /** Deletes the row of a name. */
    DELETE_NAME,
    /** Inserts a claim. */
    INSERT_CLAIM,
    /** Updates a claim, but not its party. */
    UPDATE_CLAIM,
    /** Deletes a claim. */
    DELETE_CLAIM,
    /** Deletes the marks of those who have counted a latch down. */
    DELETE_COUNTED,
    /**
     * Commits the transaction, in one request with what it has written: only where
     * {@link Dialect#acceptsMultipleStatements()}.
     */
    COMMIT,
    /** Sends a wake to a client when the transaction commits. Only where {@link Dialect#notifiesOnCommit()}. */
    NOTIFY,
    /** Renews the lease of the holder of a lock; updates one row if the claim is held. */
    RENEW_HOLDER,
    /** Renews the lease of any other holder; updates one row if the claim is held. */
    RENEW_CLAIM,
    /**
     * As {@link #RENEW_HOLDER}, but skips a row that another transaction has locked: {@link Dialect#skipsLockedRows()}.
     */
    RENEW_UNLOCKED_HOLDER,
    /** As {@link #RENEW_CLAIM}, but skips a row that another transaction has locked. */
    RENEW_UNLOCKED_CLAIM,
    /**
     * Returns, of a window of the names with a prefix after the cursor, those that are held, the latches above zero,
     * and the last one, with how many names the window has and the place of each from its end on.
     */
    CATALOG,
    /** Returns the next claims after the cursor, and whether they are over. */
    PAGE_CLAIMS,
    /** Deletes a claim if it is over. */
    SWEEP_CLAIM,
    /** Returns the next names after the cursor, and whether they have been unused for long. */
    PAGE_NAMES,
    /** Raises the last fence of the deleted names, if the new one is larger. */
    RAISE_FENCE,
    /** Deletes a name if it has been unused for long, and its fence has not changed. */
    SWEEP_NAME
}
