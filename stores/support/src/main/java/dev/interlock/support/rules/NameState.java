package dev.interlock.support.rules;

import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a store knows of one name at one moment. Immutable: whoever makes one leaves its lists alone afterwards.
 *
 * @param id the name
 * @param holders the claims that hold
 * @param waiters the claims that wait, ordered by {@code since}, and those of the same moment by {@code arrival}
 * @param marks what else is remembered of claims. Those that have counted a latch may be very many; a store may leave
 *     out all of them but the one of the claim that asks
 * @param count of a semaphore its capacity, 0 if it is not known; of a latch what is left to count down; else 0
 * @param keptUntil until when a capacity that was set, or the count of a latch, is remembered; 0 if it is not
 * @param fence the last fence that was given; 0 if there has been none, or if the store counts fences elsewhere
 */
// References are compared on purpose: what does not change stays the same object.
@SuppressWarnings({"exports", "ReferenceEquality"})
public record NameState(
        LockId id,
        List<Holder> holders,
        List<Waiter> waiters,
        List<Mark> marks,
        int count,
        long keptUntil,
        long fence) {

    /** The length of an entry of which only the end is known. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    /** A name of which nothing is known. */
    public static NameState of(LockId id) {
        return new NameState(id, List.of(), List.of(), List.of(), 0, 0, 0);
    }

    /** The claim of this owner that holds; null if none does. */
    public @Nullable Holder holder(OwnerId owner) {
        return of(owner, holders);
    }

    /** The claim of this owner that waits; null if none does. */
    public @Nullable Waiter waiter(OwnerId owner) {
        return of(owner, waiters);
    }

    /** What is remembered of this owner, or of anybody if it is null; null if nothing of this kind is. */
    public @Nullable Mark mark(Mark.Kind kind, @Nullable OwnerId owner) {
        for (Mark mark : marks) {
            if (mark.kind() == kind && (owner == null || isSame(mark.owner(), owner))) {
                return mark;
            }
        }
        return null;
    }

    /** For whom a free lock is reserved; null if it is not. */
    public @Nullable Mark reservation() {
        return mark(Mark.Kind.RESERVED, null);
    }

    /** Whether nobody holds or waits, nothing is reserved, and no capacity or count is remembered. */
    public boolean isIdle() {
        return holders.isEmpty() && waiters.isEmpty() && count == 0 && keptUntil == 0 && reservation() == null;
    }

    /** Whether nothing is known of the name but its last fence. */
    public boolean isEmpty() {
        return marks.isEmpty() && isIdle();
    }

    NameState with(List<Holder> newHolders, List<Waiter> newWaiters, List<Mark> newMarks) {
        return newHolders == holders && newWaiters == waiters && newMarks == marks
                ? this
                : new NameState(id, newHolders, newWaiters, newMarks, count, keptUntil, fence);
    }

    NameState withWaiters(List<Waiter> newWaiters) {
        return with(holders, newWaiters, marks);
    }

    NameState withMarks(List<Mark> newMarks) {
        return with(holders, waiters, newMarks);
    }

    NameState withCount(int newCount, long newKeptUntil) {
        return newCount == count && newKeptUntil == keptUntil
                ? this
                : new NameState(id, holders, waiters, marks, newCount, newKeptUntil, fence);
    }

    NameState withFence(long newFence) {
        return new NameState(id, holders, waiters, marks, count, keptUntil, newFence);
    }

    private static <E extends Entry<E>> @Nullable E of(OwnerId owner, List<E> entries) {
        for (E entry : entries) {
            if (isSame(entry.owner(), owner)) {
                return entry;
            }
        }
        return null;
    }

    /** The hash first, which each text keeps: a queue may be long, and its owners begin with the same client id. */
    private static boolean isSame(OwnerId one, OwnerId other) {
        return one.hashCode() == other.hashCode() && one.equals(other);
    }

    /** The list without what is over, and with nothing in it that lasts longer than it was made for. */
    static <E extends Entry<E>> List<E> current(List<E> list, long now) {
        for (E entry : list) {
            if (entry.until() <= now || entry.until() - now > entry.lasts()) {
                List<E> current = new ArrayList<>(list.size());
                for (E each : list) {
                    if (each.until() > now) {
                        current.add(each.until() - now > each.lasts() ? each.lasting(now + each.lasts()) : each);
                    }
                }
                return current;
            }
        }
        return list;
    }

    /** The list with one entry in the place of another, or without it; the same list if the other is null. */
    static <E> List<E> replaced(List<E> list, @Nullable E old, @Nullable E next) {
        if (old == null) {
            return list;
        }
        int index = 0;
        while (list.get(index) != old) {
            index++;
        }
        List<E> result = new ArrayList<>(list);
        if (next == null) {
            result.remove(index);
        } else {
            result.set(index, next);
        }
        return result;
    }

    /** The list with one more entry at this place. */
    static <E> List<E> inserted(List<E> list, int index, E entry) {
        List<E> result = new ArrayList<>(list.size() + 1);
        result.addAll(list);
        result.add(index, entry);
        return result;
    }
}
