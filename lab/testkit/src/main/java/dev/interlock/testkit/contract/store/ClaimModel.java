package dev.interlock.testkit.contract.store;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a store should know of one name whose claims are all in order: the rule of {@link Mode} in its plainest form,
 * two lists and a comparison. Time is a number of nanoseconds that the test advances.
 */
final class ClaimModel {

    /** How long a waiting claim keeps its place without asking again. */
    static final Duration PLACE = Duration.ofSeconds(5);

    private final Map<OwnerId, Entry> holders = new LinkedHashMap<>();
    private final List<Entry> waiters = new ArrayList<>();
    private long now;
    private int capacity;

    /** A claim, since when it waits, and until when it stands. */
    private record Entry(Claim claim, long since, long until) {}

    /** Whether a claim is granted; if not and it waits, it is listed. */
    boolean acquire(Claim claim) {
        OwnerId earlier = claim.replaces();
        if (earlier != null) {
            release(earlier);
        }
        if (claim.mode() instanceof Mode.Permits permits && capacity == 0) {
            capacity = permits.capacity();
        }
        Entry listed = listed(claim.owner());
        if (!holders.containsKey(claim.owner()) && !fits(claim.mode(), ahead(claim, listed))) {
            list(claim, listed);
            return false;
        }
        waiters.remove(listed);
        holders.put(claim.owner(), new Entry(claim, now, now + claim.lease().toNanos()));
        return true;
    }

    private void list(Claim claim, @Nullable Entry listed) {
        Duration waited = claim.waited();
        if (waited == null) {
            return;
        }
        long until = now + PLACE.toNanos();
        if (listed == null) {
            waiters.add(new Entry(claim, now - waited.toNanos(), until));
            // Stable: of two that have waited for as long the one that was listed first stays first.
            waiters.sort(Comparator.comparingLong(Entry::since));
        } else {
            waiters.set(waiters.indexOf(listed), new Entry(claim, listed.since(), until));
        }
    }

    /** Whether it was held. */
    boolean release(OwnerId owner) {
        waiters.remove(listed(owner));
        boolean held = holders.remove(owner) != null;
        forgetCapacity();
        return held;
    }

    /** Whether it was held; then {@code left} holds in its place, for its lease from now. */
    boolean lapse(Claim claim, Claim left) {
        boolean held = holds(claim);
        if (held) {
            holders.put(left.owner(), new Entry(left, now, now + left.lease().toNanos()));
        }
        return release(claim.owner());
    }

    /** Whether it is held, and then for its lease from now. */
    boolean renew(Claim claim) {
        Entry held = holders.get(claim.owner());
        if (held != null) {
            holders.put(
                    claim.owner(),
                    new Entry(held.claim(), now, now + claim.lease().toNanos()));
        }
        return held != null;
    }

    void advance(Duration time) {
        now += time.toNanos();
        holders.values().removeIf(entry -> entry.until() <= now);
        waiters.removeIf(entry -> entry.until() <= now);
        forgetCapacity();
    }

    boolean holds(Claim claim) {
        return holders.containsKey(claim.owner());
    }

    /** Those that wait and could be granted at this moment, first come first. */
    Set<Claim> ready() {
        Set<Claim> ready = new LinkedHashSet<>();
        List<Mode> before = new ArrayList<>();
        for (Entry entry : waiters) {
            if (!fits(entry.claim().mode(), before)) {
                break;
            }
            before.add(entry.claim().mode());
            ready.add(entry.claim());
        }
        return ready;
    }

    /**
     * Holders with their modes, then waiters in their order; those whose turn it is are among the first if
     * {@code turnsHold}.
     */
    String picture(boolean turnsHold) {
        Set<Claim> ready = turnsHold ? ready() : Set.of();
        Stream<Claim> holding = Stream.concat(holders.values().stream().map(Entry::claim), ready.stream());
        Stream<Claim> waiting = waiters.stream().map(Entry::claim).filter(claim -> !ready.contains(claim));
        return holding.map(ClaimModel::describe).sorted().collect(Collectors.joining(", "))
                + " | "
                + waiting.map(ClaimModel::describe).collect(Collectors.joining(", "));
    }

    private static String describe(Claim claim) {
        return claim.owner() + " " + claim.mode();
    }

    private List<Mode> ahead(Claim claim, @Nullable Entry listed) {
        Duration waited = claim.waited();
        long since = now - (waited == null ? 0 : waited.toNanos());
        Stream<Entry> before = listed == null
                ? waiters.stream().filter(entry -> entry.since() <= since)
                : waiters.subList(0, waiters.indexOf(listed)).stream();
        return before.map(entry -> entry.claim().mode()).toList();
    }

    private boolean fits(Mode mode, List<Mode> before) {
        List<Mode> others = new ArrayList<>(before);
        holders.values().forEach(entry -> others.add(entry.claim().mode()));
        if (mode instanceof Mode.Permits) {
            return Stream.concat(others.stream(), Stream.of(mode))
                            .mapToInt(each -> ((Mode.Permits) each).count())
                            .sum()
                    <= capacity;
        }
        return mode instanceof Mode.Shared ? others.stream().allMatch(Mode.Shared.class::isInstance) : others.isEmpty();
    }

    private @Nullable Entry listed(OwnerId owner) {
        return waiters.stream()
                .filter(entry -> entry.claim().owner().equals(owner))
                .findFirst()
                .orElse(null);
    }

    private void forgetCapacity() {
        if (holders.isEmpty() && waiters.isEmpty()) {
            capacity = 0;
        }
    }
}
