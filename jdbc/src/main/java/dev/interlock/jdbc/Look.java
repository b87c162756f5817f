package dev.interlock.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What stands in the way of a claim.
 *
 * @param held whether somebody holds the name; otherwise it is kept for the waiter whose turn it is
 * @param ageMs for how long that has stood
 * @param leftMs for how long it still stands, without a renewal
 * @param leaseMs the length of its lease
 * @param listedMs for how long the asking claim is still listed as waiting; negative if it is not
 * @param ahead how many other waiters come before it
 */
record Look(boolean held, long ageMs, long leftMs, long leaseMs, long listedMs, int ahead) {

    static Look read(ResultSet row) throws SQLException {
        return new Look(
                row.getBoolean("held"),
                row.getLong("age_ms"),
                row.getLong("left_ms"),
                row.getLong("lease_ms"),
                row.getLong("listed_ms"),
                row.getInt("ahead"));
    }

    /** Whether the clock was set back since the lease began: it would end later than its length allows. */
    boolean isBeyondLease() {
        return leftMs > leaseMs;
    }

    /** Whether the asking claim has to be listed, or listed anew, to stay so until it asks again. */
    boolean needsListing() {
        return listedMs < Timing.LISTED_MS / 2;
    }
}
