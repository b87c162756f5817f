package dev.interlock.evidence;

import java.util.List;

/**
 * What a history shows.
 *
 * @param strikes how often the fault has struck, proven
 * @param holds how often somebody held the lock
 * @param overlaps holds that wrote, or tried to, after a later holder had begun to write
 * @param fenced those of them whose late writes the resource refused, all of them
 * @param refused holds whose write was refused although nobody else held
 * @param toldInTime lost holds whose process was told before it wrote late
 * @param toldLate lost holds whose process learned of it later: after a late write, or by its release only
 * @param neverTold lost holds whose process did not learn of it
 * @param phantoms times of more than a lease and a second in which the server was well and nobody got the lock
 * @param stuck processes that waited on, while others got the lock
 * @param outageMillis the longest time in which somebody wanted the lock and nobody had it
 * @param leftovers what is left in the store
 */
record Findings(
        int strikes,
        int holds,
        int overlaps,
        int fenced,
        int refused,
        int toldInTime,
        int toldLate,
        int neverTold,
        int phantoms,
        int stuck,
        long outageMillis,
        List<String> leftovers) {

    /** Whether anybody did harm that the resource could not refuse, or was left without the lock. */
    boolean isConvicted() {
        return overlaps > fenced || phantoms > 0 || stuck > 0;
    }
}
