package dev.interlock.cli;

import dev.interlock.LockStatus;
import dev.interlock.LockStatus.Holder;
import dev.interlock.LockStatus.Waiter;
import dev.interlock.Party;
import dev.interlock.console.Circles;
import dev.interlock.spi.LockId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for whom, as looks at a store have seen it. Immutable.
 *
 * <p>A look reads one name after the other, so a circle in it may be made of claims that were never there together. The
 * claims that a second look finds again were all there at the moment between the two, since each claim has an owner of
 * its own; so a circle of such claims was, too.
 *
 * <p>A {@code run} or {@code lead} of this machine waits, too, for those that wait under it.
 *
 * @param look the last look
 * @param circles those who wait for each other in it, over claims that the look before had, too
 */
record Waits(Listing look, List<List<Link>> circles) {

    /**
     * A claim of a circle that waits, and a holder for which it does.
     *
     * @param lock the name that the one waits for and the other holds
     * @param runs one of the circle that waits, and runs under the holder; null if none does
     */
    record Link(LockStatus lock, Waiter waiter, Holder holder, @Nullable Waiter runs) {}

    /** A claim, and whether it holds. Its token differs each time where its owner does not. */
    private record Seen(LockId id, String owner, boolean holds, long token) {}

    /** Of one look: its circles may not be any. */
    static Waits of(Listing look) {
        return new Waits(look, circles(look, seen(look)));
    }

    /** Of a look after this one: its circles are deadlocks. */
    Waits confirmedBy(Listing next) {
        return new Waits(next, circles(next, seen(look)));
    }

    /** The locks that somebody waits for. */
    List<LockStatus> waitedFor() {
        return look.locks().stream().filter(lock -> !lock.waiters().isEmpty()).toList();
    }

    private static Set<Seen> seen(Listing look) {
        Set<Seen> seen = new HashSet<>();
        for (LockStatus lock : look.locks()) {
            lock.holders().forEach(holder -> seen.add(seen(lock, holder)));
            lock.waiters().forEach(waiter -> seen.add(seen(lock, waiter)));
        }
        return seen;
    }

    private static Seen seen(LockStatus lock, Holder holder) {
        return new Seen(new LockId(lock.name(), lock.kind()), holder.owner(), true, holder.token());
    }

    private static Seen seen(LockStatus lock, Waiter waiter) {
        return new Seen(new LockId(lock.name(), lock.kind()), waiter.owner(), false, 0);
    }

    /** A holder that waits for the end of this waiter, which runs under it, and their numbers. */
    private record Run(int above, int below, Waiter waiter) {}

    /** The claims of a name that make circles, and the numbers of their threads. */
    private record Part(LockStatus lock, List<Waiter> waiters, List<Holder> holders, Circles.Line line) {}

    private static List<List<Link>> circles(Listing look, Set<Seen> before) {
        Map<Object, Integer> numbers = new HashMap<>();
        List<Part> parts = new ArrayList<>();
        for (LockStatus lock : look.locks()) {
            if (Circles.isCertain(lock.kind(), lock.holders().size())) {
                parts.add(part(lock, before, numbers));
            }
        }
        List<Run> runs = runs(parts);
        List<Circles.Line> lines =
                new ArrayList<>(parts.stream().map(Part::line).toList());
        runs.forEach(run -> lines.add(new Circles.Line(new int[] {run.above}, new int[] {run.below})));
        int[] circles = Circles.find(numbers.size(), lines);
        Map<Integer, List<Link>> links = new LinkedHashMap<>();
        parts.forEach(part -> addLinks(part, circles, runs, links));
        return links.values().stream().map(Waits::inTurn).toList();
    }

    /** The holders that run somebody who waits. */
    private static List<Run> runs(List<Part> parts) {
        Map<Party, Set<Integer>> holders = new HashMap<>();
        for (Part part : parts) {
            for (int i = 0; i < part.holders.size(); i++) {
                holders.computeIfAbsent(process(part.holders.get(i).party()), unused -> new HashSet<>())
                        .add(part.line.holders()[i]);
            }
        }
        Map<Party, List<Party>> known = new HashMap<>();
        List<Run> runs = new ArrayList<>();
        for (Part part : parts) {
            for (int i = 0; i < part.waiters.size(); i++) {
                Waiter waiter = part.waiters.get(i);
                int below = part.line.waiters()[i];
                for (Party above : known.computeIfAbsent(process(waiter.party()), LocalHost::runsAbove)) {
                    holders.getOrDefault(above, Set.of()).forEach(holder -> runs.add(new Run(holder, below, waiter)));
                }
            }
        }
        return runs;
    }

    private static Party process(Party party) {
        return new Party(party.host(), party.pid(), "", "");
    }

    private static Part part(LockStatus lock, Set<Seen> before, Map<Object, Integer> numbers) {
        List<Waiter> waiters = lock.waiters().stream()
                .filter(waiter -> before.contains(seen(lock, waiter)))
                .toList();
        List<Holder> holders = lock.holders().stream()
                .filter(holder -> !holder.isLeft() && before.contains(seen(lock, holder)))
                .toList();
        return new Part(
                lock,
                waiters,
                holders,
                new Circles.Line(
                        waiters.stream()
                                .mapToInt(waiter -> number(waiter.owner(), waiter.party(), numbers))
                                .toArray(),
                        holders.stream()
                                .mapToInt(holder -> number(holder.owner(), holder.party(), numbers))
                                .toArray()));
    }

    private static int number(String owner, Party party, Map<Object, Integer> numbers) {
        return numbers.computeIfAbsent(Circles.identity(owner, party), unused -> numbers.size());
    }

    /** One for each waiting claim of a circle: of several holders in it, the first. */
    private static void addLinks(Part part, int[] circles, List<Run> runs, Map<Integer, List<Link>> links) {
        int[] holders = part.line.holders();
        for (int i = 0; i < part.waiters.size(); i++) {
            int circle = circles[part.line.waiters()[i]];
            int first = 0;
            while (first < holders.length && circles[holders[first]] != circle) {
                first++;
            }
            if (circle > 0 && first < holders.length) {
                Waiter run = run(holders[first], circle, circles, runs);
                links.computeIfAbsent(circle, unused -> new ArrayList<>())
                        .add(new Link(part.lock, part.waiters.get(i), part.holders.get(first), run));
            }
        }
    }

    private static @Nullable Waiter run(int holder, int circle, int[] circles, List<Run> runs) {
        return runs.stream()
                .filter(run -> run.above == holder && circles[run.below] == circle)
                .map(Run::waiter)
                .findFirst()
                .orElse(null);
    }

    /** In such an order that, as far as possible, the holder of one waits in the next. */
    private static List<Link> inTurn(List<Link> links) {
        Map<Object, List<Link>> rest = new LinkedHashMap<>();
        for (Link link : links) {
            rest.computeIfAbsent(waiting(link), unused -> new ArrayList<>()).add(link);
        }
        List<Link> turn = new ArrayList<>();
        Object at = rest.keySet().iterator().next();
        while (!rest.isEmpty()) {
            List<Link> of = Objects.requireNonNull(rest.remove(at));
            turn.addAll(of);
            Object next = holding(of.get(of.size() - 1));
            at = rest.containsKey(next) || rest.isEmpty()
                    ? next
                    : rest.keySet().iterator().next();
        }
        return turn;
    }

    private static Object waiting(Link link) {
        return Circles.identity(link.waiter.owner(), link.waiter.party());
    }

    private static Object holding(Link link) {
        return link.runs != null
                ? Circles.identity(link.runs.owner(), link.runs.party())
                : Circles.identity(link.holder.owner(), link.holder.party());
    }
}
