package dev.interlock.jdbc.claims;

/**
 * The row of a name, but for who its holder is.
 *
 * @param owner of a lock: who holds it or for whom it is kept; empty if nobody
 * @param held whether it is held; otherwise it is kept or free
 * @param mode the letter of the holder's mode
 * @param fence the last fence of the name
 * @param listedMs until when somebody may be listed as waiting; 0 if nobody is
 * @param amount the capacity of a semaphore, the count of a latch; 0 if not known
 * @param keptMs until when the amount is remembered without a use; 0 if it is not
 */
record NameColumns(
        String owner,
        boolean held,
        String mode,
        long fence,
        long sinceMs,
        long untilMs,
        long leaseMs,
        long listedMs,
        int amount,
        long keptMs) {}
