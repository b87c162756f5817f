package dev.interlock.evidence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a history. It knows what a lock is, and nothing of any library: who held what it learns from what the processes
 * believed, and who did harm from the order in which writes came to the resource.
 */
final class Checker {

    /** How much longer than a lease a process may wait, with the server well, while others get the lock. */
    static final Duration GRACE = Duration.ofSeconds(6);

    /** How much longer than a lease nobody may have the lock, with the server well. */
    static final Duration SLACK = Duration.ofSeconds(1);

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final List<Event> events;
    private final List<Event> inTime;
    private final Duration lease;
    private final List<Hold> holds = new ArrayList<>();
    private int overlaps;
    private int fenced;
    private int refused;
    private int toldInTime;
    private int toldLate;
    private int neverTold;

    private Checker(List<Event> events, Duration lease) {
        this.events = events;
        this.lease = lease;
        inTime = new ArrayList<>(events);
        inTime.sort(Comparator.comparingLong(Event::nanos));
    }

    /** What the events show, in the order in which they arrived. */
    static Findings check(List<Event> events, Duration lease, List<String> leftovers) {
        return new Checker(events, lease).findings(leftovers);
    }

    private Findings findings(List<String> leftovers) {
        collectHolds();
        holds.forEach(this::judge);
        Outages outages = new Outages(inTime, lease.plus(SLACK));
        int hits =
                (int) events.stream().filter(event -> event.what() == What.HIT).count();
        return new Findings(
                hits,
                holds.size(),
                overlaps,
                fenced,
                refused,
                toldInTime,
                toldLate,
                neverTold,
                outages.phantoms(),
                stuck(),
                outages.longestNanos() / NANOS_PER_MILLI,
                leftovers);
    }

    private void collectHolds() {
        Map<Integer, Hold> current = new HashMap<>();
        for (int place = 0; place < events.size(); place++) {
            Event event = events.get(place);
            if (event.what() == What.HOLDS) {
                Hold hold = new Hold(event.nanos());
                holds.add(hold);
                current.put(event.client(), hold);
            } else if (current.containsKey(event.client())) {
                current.get(event.client()).note(event, place);
            }
        }
    }

    private void judge(Hold hold) {
        List<Hold> later = holds.stream().filter(hold::isFollowedBy).toList();
        boolean late = later.stream().anyMatch(hold::triesAfter);
        if (late) {
            overlaps++;
            if (later.stream().noneMatch(hold::writesAfter)) {
                fenced++;
            }
        }
        if (hold.isRefused() && holds.stream().noneMatch(hold::meets)) {
            refused++;
        }
        if (hold.isKilled() || (!hold.isTold() && later.isEmpty())) {
            // Not lost, as far as anybody can tell.
            return;
        }
        if (hold.isTold() && !late) {
            toldInTime++;
        } else if (hold.isLearned()) {
            toldLate++;
        } else {
            neverTold++;
        }
    }

    /** Those who wanted the lock when a fault was over, and did not get it in time although others did. */
    private int stuck() {
        int stuck = 0;
        for (int place = 0; place < inTime.size(); place++) {
            if (inTime.get(place).what() == What.HEALED) {
                for (int client : wanting(place)) {
                    stuck += isStuck(client, place) ? 1 : 0;
                }
            }
        }
        return stuck;
    }

    private List<Integer> wanting(int until) {
        List<Integer> wanting = new ArrayList<>();
        for (Event event : inTime.subList(0, until)) {
            Integer client = event.client();
            switch (event.what()) {
                case ASKS -> wanting.add(client);
                case HOLDS, LEAVES, KILLED -> wanting.remove(client);
                default -> {
                    // Changes nothing about who wants it.
                }
            }
        }
        return wanting;
    }

    private boolean isStuck(int client, int healed) {
        long deadline = inTime.get(healed).nanos() + lease.plus(GRACE).toNanos();
        int others = 0;
        for (Event event : inTime.subList(healed + 1, inTime.size())) {
            if (event.nanos() > deadline) {
                return others > 0;
            }
            boolean isOver = event.what() == What.STRIKES
                    || (event.client() == client && (event.what() == What.HOLDS || event.what() == What.LEAVES));
            if (isOver) {
                return false;
            }
            others += event.what() == What.HOLDS ? 1 : 0;
        }
        return false;
    }
}
