package dev.interlock.evidence;

import java.util.ArrayList;
import java.util.List;

/** One hold, as its process saw it, and what became of its writes. */
final class Hold {

    private final long begin;
    private long end = Long.MAX_VALUE;
    private boolean told;
    private boolean killed;
    private boolean releaseFailed;
    private boolean refused;

    // Places in the history, in its order.
    private final List<Integer> tries = new ArrayList<>();
    private final List<Integer> writes = new ArrayList<>();

    Hold(long begin) {
        this.begin = begin;
    }

    /** Takes in what its process did next. */
    void note(Event event, int place) {
        switch (event.what()) {
            case WROTE, REFUSED -> {
                tries.add(place);
                if (event.what() == What.WROTE) {
                    writes.add(place);
                } else {
                    refused = true;
                }
            }
            case LOST -> {
                told = true;
                end = Math.min(end, event.nanos());
            }
            case RELEASES -> end = Math.min(end, event.nanos());
            case UNRELEASED -> releaseFailed = true;
            case KILLED -> {
                killed = end == Long.MAX_VALUE;
                end = Math.min(end, event.nanos());
            }
            default -> {
                // Says nothing about the hold.
            }
        }
    }

    /** The process was told of a loss while it worked. */
    boolean isTold() {
        return told;
    }

    /** The process learned of a loss, at the latest by its release. */
    boolean isLearned() {
        return told || releaseFailed;
    }

    /** The process was killed while it held. */
    boolean isKilled() {
        return killed;
    }

    boolean isRefused() {
        return refused;
    }

    /** Whether the other began while this one went on. */
    boolean isFollowedBy(Hold other) {
        return other != this && other.begin > begin && other.begin < end;
    }

    /** Whether both went on at some time. */
    boolean meets(Hold other) {
        return other != this && other.begin < end && begin < other.end;
    }

    /** Whether this one wrote, or tried to, after the other had begun to. */
    boolean triesAfter(Hold later) {
        return isInterleaved(tries, later.tries);
    }

    /** Whether a write of this one was taken after one of the other had been. */
    boolean writesAfter(Hold later) {
        return isInterleaved(writes, later.writes);
    }

    private static boolean isInterleaved(List<Integer> earlier, List<Integer> later) {
        return !earlier.isEmpty() && !later.isEmpty() && earlier.get(earlier.size() - 1) > later.get(0);
    }
}
