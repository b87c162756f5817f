package dev.interlock.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The row of a name, but for the party of its holder. Times are in milliseconds of the database's clock.
 *
 * @param owner of a lock: the owner that holds it or for which it is reserved; empty if there is none
 * @param held whether the lock is held; if not, it is reserved or free
 * @param mode the letter of the holder's mode
 * @param fence the last fence of the name
 * @param sinceMs when the lock was granted
 * @param untilMs when the lease or the reservation ends; 0 if the lock is free
 * @param leaseMs the length that {@code untilMs} was computed with
 * @param listedMs until when somebody may be listed as waiting; 0 if nobody is
 * @param amount the capacity of a semaphore, the count of a latch; 0 if unknown
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
        long keptMs) {

    /** From the third column on; what a name without a row has in them is null. */
    static NameColumns read(ResultSet row) throws SQLException {
        return new NameColumns(
                row.getString(3),
                row.getInt(4) != 0,
                row.getString(5),
                row.getLong(6),
                row.getLong(7),
                row.getLong(8),
                row.getLong(9),
                row.getLong(10),
                Math.max(0, row.getInt(11)),
                row.getLong(12));
    }

    /** Adds the columns to these parameters. */
    Parameters in(Parameters parameters) {
        return parameters
                .with("owner", owner)
                .with("held", held ? 1 : 0)
                .with("mode", mode)
                .with("fence", fence)
                .with("since", sinceMs)
                .with("until", untilMs)
                .with("lease", leaseMs)
                .with("listed", listedMs)
                .with("amount", amount)
                .with("kept", keptMs);
    }
}
