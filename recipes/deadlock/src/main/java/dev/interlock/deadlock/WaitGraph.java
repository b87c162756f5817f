package dev.interlock.deadlock;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for whom, as far as one look has seen, and who of them waits for ever. A pure function of its arguments.
 *
 * <p><b>Stuck.</b> At first all known waits count as stuck. Then each is taken out that may end by what the others do:
 * whoever is not known to wait is assumed to release all that it holds, and so is whoever may get what it waits for.
 * What is left when nobody else may end is stuck. So a lock whose holder is not known to wait stops nobody, and a
 * waiter for permits is stuck only if those that are not held by the stuck do not suffice.
 *
 * <p><b>In the way.</b> A stuck holder is in the way of all who do not fit beside it. A stuck waiter is in the way of
 * those behind it that would fit beside the holders, which the order makes wait for it: of readers behind a writer, and
 * of those who want permits. Where it is unknown which of two came first, neither is behind the other.
 *
 * <p><b>A circle.</b> Among the stuck, a knot is a set in which everybody waits for everybody, over others. Who is
 * stuck and in no knot only waits for one.
 */
final class WaitGraph {

    private final Map<LockId, LockStatus> names;
    private final Set<Wait> stuck;
    private final Map<Wait, Set<Wait>> ways = new HashMap<>();
    private final Map<LockId, Places> places = new HashMap<>();
    private final Function<LockStatus, Places> reading;

    /** The waits for each name, of which some may not be stuck. */
    private final Map<LockId, List<Wait>> lines = new HashMap<>();

    /**
     * A circle, and what proves it.
     *
     * @param members those who wait, the one that came last first; each waits for the next, and the last for the first
     * @param knot all that wait for each other, of which the members are some
     * @param claims the claims of those that hold their names now
     */
    record Circle(List<Wait> members, Set<Wait> knot, Set<Hold> claims) {

        /** Whether it is the one that was seen before: the same waits, and the same claims. */
        boolean isStill(@Nullable Circle before) {
            return before != null && knot.equals(before.knot) && claims.equals(before.claims);
        }
    }

    /**
     * @param names the status of the names that are waited for; nobody is stuck at a name that is missing
     * @param waits all known waits
     */
    WaitGraph(Map<LockId, LockStatus> names, Collection<Wait> waits) {
        this(names, waits, Places::of);
    }

    /** @param reading reads the line of a name */
    WaitGraph(Map<LockId, LockStatus> names, Collection<Wait> waits, Function<LockStatus, Places> reading) {
        this.names = names;
        this.stuck = new LinkedHashSet<>(waits);
        this.reading = reading;
        stuck.forEach(wait ->
                lines.computeIfAbsent(wait.id(), id -> new ArrayList<>()).add(wait));
        while (true) {
            List<Wait> ending = stuck.stream().filter(this::mayEnd).toList();
            if (ending.isEmpty()) {
                break;
            }
            ending.forEach(stuck::remove);
        }
    }

    /** Whether nobody can end this wait but those who wait themselves. */
    boolean isStuck(Wait wait) {
        return stuck.contains(wait);
    }

    /** The circle that this wait closed: null if it is in none, or came before another of those in its knot. */
    @Nullable
    Circle closedBy(Wait last) {
        if (!stuck.contains(last)) {
            return null;
        }
        Set<Wait> knot = new HashSet<>();
        for (Wait other : reachableFrom(last).keySet()) {
            if (reachableFrom(other).containsKey(last)) {
                knot.add(other);
            }
        }
        // It is reachable from itself only over a circle.
        if (!knot.contains(last) || knot.stream().anyMatch(other -> other.isAfter(last))) {
            return null;
        }
        Set<Hold> claims = new HashSet<>();
        for (Wait member : knot) {
            member.held().stream().filter(this::isHeldNow).forEach(claims::add);
        }
        return new Circle(shortestCircle(last), knot, claims);
    }

    /** All for which this one waits, over others; each with the one before it on a shortest way. */
    private Map<Wait, Wait> reachableFrom(Wait start) {
        Map<Wait, Wait> before = new HashMap<>();
        Deque<Wait> next = new ArrayDeque<>(List.of(start));
        while (!next.isEmpty()) {
            Wait at = next.remove();
            for (Wait other : inTheWayOf(at)) {
                if (before.putIfAbsent(other, at) == null) {
                    next.add(other);
                }
            }
        }
        return before;
    }

    private List<Wait> shortestCircle(Wait start) {
        Map<Wait, Wait> before = reachableFrom(start);
        List<Wait> backwards = new ArrayList<>();
        Wait at = start;
        do {
            at = before.getOrDefault(at, start);
            backwards.add(at);
        } while (!at.equals(start));
        Collections.reverse(backwards);
        return backwards;
    }

    /** The stuck that keep this stuck one waiting. */
    private Set<Wait> inTheWayOf(Wait wait) {
        return ways.computeIfAbsent(wait, key -> {
            Set<Wait> all = holdersInTheWayOf(key);
            all.addAll(aheadOf(key));
            return all;
        });
    }

    // ---- may it end?

    private boolean mayEnd(Wait wait) {
        LockStatus status = names.get(wait.id());
        if (status == null || !fitsInTheEnd(wait, status)) {
            return status == null || mayBeHandedOver(wait, status);
        }
        return aheadOf(wait).isEmpty();
    }

    /** Whether it fits beside the holders that are stuck, when all others have let go. */
    private boolean fitsInTheEnd(Wait wait, LockStatus status) {
        if (!(wait.mode() instanceof Mode.Permits wanted)) {
            return holdersInTheWayOf(wait).isEmpty();
        }
        long taken = 0;
        for (LockStatus.Holder holder : status.holders()) {
            if (holder.mode() instanceof Mode.Permits some && isStuck(wait.id(), holder)) {
                taken += some.count();
            }
        }
        int capacity = status.count() > 0 ? status.count() : wanted.capacity();
        return taken + wanted.count() <= capacity;
    }

    /** Whether it may get permits of its own client, which go by the store's queue. */
    private boolean mayBeHandedOver(Wait wait, LockStatus status) {
        if (wait.mode() instanceof Mode.Permits wanted) {
            for (LockStatus.Holder holder : status.holders()) {
                if (holder.mode() instanceof Mode.Permits some
                        && some.count() == wanted.count()
                        && clientOf(holder.owner()).equals(wait.client())
                        && !isStuck(wait.id(), holder)) {
                    return true;
                }
            }
        }
        return false;
    }

    // ---- holders

    /** The stuck that hold the name which this one waits for, and beside which it does not fit. */
    private Set<Wait> holdersInTheWayOf(Wait wait) {
        Set<Wait> holders = new LinkedHashSet<>();
        for (Wait other : stuck) {
            for (Hold hold : other.held()) {
                if (hold.id().equals(wait.id())
                        && !(hold.shared() && wait.mode() instanceof Mode.Shared)
                        && isHeldNow(hold)) {
                    holders.add(other);
                }
            }
        }
        return holders;
    }

    private boolean isHeldNow(Hold hold) {
        LockStatus status = names.get(hold.id());
        return status != null && status.holders().stream().anyMatch(holder -> fenceOf(holder.token()) == hold.fence());
    }

    private boolean isStuck(LockId id, LockStatus.Holder holder) {
        long fence = fenceOf(holder.token());
        return stuck.stream()
                .flatMap(wait -> wait.held().stream())
                .anyMatch(hold -> hold.fence() == fence && hold.id().equals(id));
    }

    // ---- waiters

    /** The stuck that wait before this one, and have to go first. */
    private Set<Wait> aheadOf(Wait wait) {
        Set<Wait> ahead = new LinkedHashSet<>();
        LockStatus status = names.get(wait.id());
        if (status == null || !keepsOrderAmongFitting(wait) || mayBeHandedOver(wait, status)) {
            return ahead;
        }
        for (Wait other : lines.getOrDefault(wait.id(), List.of())) {
            if (!(other.mode() instanceof Mode.Shared) && stuck.contains(other) && isAhead(other, wait, status)) {
                ahead.add(other);
            }
        }
        return ahead;
    }

    /** Whether the order may keep it waiting although it fits beside the holders. */
    private static boolean keepsOrderAmongFitting(Wait wait) {
        return wait.mode() instanceof Mode.Shared || wait.mode() instanceof Mode.Permits;
    }

    private boolean isAhead(Wait other, Wait wait, LockStatus status) {
        if (other.client().equals(wait.client())) {
            return other.by() < wait.from();
        }
        return places.computeIfAbsent(wait.id(), id -> reading.apply(status)).isAhead(other, wait);
    }

    // ---- ids

    static String clientOf(String owner) {
        return new OwnerId(owner).clientId();
    }

    static long fenceOf(long token) {
        return token / Attempt.TOKENS_PER_FENCE;
    }

    /** Whether others than holders may be in the way of who waits for such a name. */
    static boolean hasOrderAmongFitting(LockKind kind) {
        return kind == LockKind.READ_WRITE || kind == LockKind.SEMAPHORE;
    }
}
