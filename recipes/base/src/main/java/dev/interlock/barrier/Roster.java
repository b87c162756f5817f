package dev.interlock.barrier;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Printable;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The parties that have come and not left, of all generations, in the order in which the store has let them in.
 *
 * @param entries one for each claim
 */
record Roster(List<Entry> entries) {

    /**
     * A party.
     *
     * @param token the token of its claim
     * @param party its process
     * @param generation the generation in which it is
     * @param gate the gate of that generation
     * @param parties how many parties it says the barrier has
     * @param permits how many permits it holds
     */
    record Entry(long token, Party party, long generation, int gate, int parties, int permits) {

        /** Whether it counts: it has not only asked for its place. */
        boolean hasArrived() {
            return permits <= BarrierNames.ARRIVED;
        }

        /** Whether it has opened its generation. */
        boolean isOpener() {
            return token == generation && hasArrived();
        }
    }

    static Roster of(LockStatus status) {
        return new Roster(status.holders().stream()
                .map(holder -> entry(status, holder))
                .sorted(Comparator.comparingLong(Entry::token))
                .toList());
    }

    private static Entry entry(LockStatus status, LockStatus.Holder holder) {
        Ticket ticket = Ticket.parse(holder.party().thread());
        if (ticket == null || !(holder.mode() instanceof Mode.Permits permits)) {
            throw new IllegalStateException(
                    "The semaphore '" + Printable.of(status.name()) + "' belongs to a barrier, and somebody"
                            + " else holds it: use another name for one of the two; owner=" + holder.owner());
        }
        long generation = ticket.generation() == 0 ? holder.token() : ticket.generation();
        return new Entry(holder.token(), holder.party(), generation, ticket.gate(), ticket.parties(), permits.count());
    }

    /** The parties of this generation, without those that do not count yet. */
    Roster of(long generation) {
        return new Roster(entries.stream()
                .filter(each -> each.generation() == generation && each.hasArrived())
                .toList());
    }

    /** How many parties of this generation there are, with those that do not count yet. */
    long in(long generation) {
        return entries.stream().filter(each -> each.generation() == generation).count();
    }

    /** Whether there is a party of this generation, though it may not count yet. */
    boolean isInUse(long generation) {
        return in(generation) > 0;
    }

    boolean contains(long token) {
        return entries.stream().anyMatch(each -> each.token() == token);
    }

    /** A party that arrived before this one and says another number of parties; null if there is none. */
    @Nullable
    Entry otherParties(int parties, long token) {
        return entries.stream()
                .filter(each -> each.parties() != parties && each.token() < token)
                .findFirst()
                .orElse(null);
    }

    /** A gate that no generation here uses. */
    int unusedGate() {
        return IntStream.iterate(0, gate -> gate + 1)
                .filter(gate -> entries.stream().noneMatch(each -> each.gate() == gate))
                .findFirst()
                .orElseThrow();
    }
}
