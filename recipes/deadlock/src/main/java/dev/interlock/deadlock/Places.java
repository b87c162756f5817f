package dev.interlock.deadlock;

import dev.interlock.LockStatus;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import java.util.HashMap;
import java.util.Map;

/**
 * Who stands where in the line of one name, read once: a line of thousands is asked about by each of them.
 *
 * @param first the first place of each client
 * @param firstFor the first place of a claim of each client for each mode; shares are left out
 */
record Places(Map<String, Integer> first, Map<Claimant, Integer> firstFor) {

    /**
     * Whose claim, and for what.
     *
     * @param permits how many permits; 0 for the whole of the name
     */
    record Claimant(String client, int permits) {}

    static Places of(LockStatus status) {
        Places places = new Places(new HashMap<>(), new HashMap<>());
        int place = 0;
        for (LockStatus.Waiter listed : status.waiters()) {
            String client = new OwnerId(listed.owner()).clientId();
            places.first.putIfAbsent(client, place);
            if (!(listed.mode() instanceof Mode.Shared)) {
                places.firstFor.putIfAbsent(claimant(client, listed.mode()), place);
            }
            place++;
        }
        return places;
    }

    /** Whether a claim for the other wait is listed, and before all claims of the client of this one. */
    boolean isAhead(Wait other, Wait wait) {
        Integer others = firstFor.get(claimant(other.client(), other.mode()));
        Integer its = first.get(wait.client());
        return its != null && others != null && others < its;
    }

    private static Claimant claimant(String client, Mode mode) {
        return new Claimant(client, mode instanceof Mode.Permits permits ? permits.count() : 0);
    }
}
