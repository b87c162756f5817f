package dev.interlock.redis;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Parses the replies of the scripts that inspect a name. Any client may have written the data in them. */
final class StatusParser {

    private static final String MARK = "interlock";

    /** The number of words for a holder in the reply of look.lua. */
    private static final int HOLDER_WORDS = 6;

    /** look.lua reports the end of a lease without an end as a time beyond this one, in µs. */
    private static final long NEVER = 9_000_000_000_000_000L;

    private StatusParser() {}

    static LockStatus parse(LockId id, List<String> elements) {
        return switch (id.kind()) {
            case LOCK -> lock(id, elements);
            case LATCH -> latch(id, elements);
            case READ_WRITE, SEMAPHORE -> several(id, elements);
        };
    }

    private static LockStatus lock(LockId id, List<String> elements) {
        long now = Long.parseLong(elements.get(0));
        long left = Long.parseLong(elements.get(1));
        int end = 3 + Integer.parseInt(elements.get(2));
        List<LockStatus.Holder> holders = holders(elements.subList(3, end), now, left);
        return new LockStatus(id.name(), id.kind(), holders, waiters(elements, end, now, 0), 1);
    }

    private static LockStatus latch(LockId id, List<String> elements) {
        long now = Long.parseLong(elements.get(0));
        int count = count(elements.get(1));
        return new LockStatus(id.name(), id.kind(), List.of(), waiters(elements, 2, now, 0), count);
    }

    private static LockStatus several(LockId id, List<String> elements) {
        long now = Long.parseLong(elements.get(0));
        int capacity = count(elements.get(1));
        int end = 3 + HOLDER_WORDS * Integer.parseInt(elements.get(2));
        List<LockStatus.Holder> holders = new ArrayList<>();
        for (int i = 3; i < end; i += HOLDER_WORDS) {
            holders.add(holder(elements.subList(i, i + HOLDER_WORDS), capacity, now));
        }
        holders.sort(Comparator.comparing(LockStatus.Holder::heldFor).reversed());
        int count = id.kind() == LockKind.SEMAPHORE ? capacity : 1;
        return new LockStatus(id.name(), id.kind(), holders, waiters(elements, end, now, capacity), count);
    }

    private static LockStatus.Holder holder(List<String> words, int capacity, long now) {
        long ends = number(words.get(5));
        return new LockStatus.Holder(
                words.get(0),
                PartyCodec.decode(words.get(2)),
                ModeCodec.parse(words.get(1), capacity),
                age(now, number(words.get(4))),
                ends > NEVER ? LockStatus.NO_END : age(ends, now),
                token(number(words.get(3))));
    }

    private static List<LockStatus.Holder> holders(List<String> hash, long now, long left) {
        ClaimEntry mark = ClaimEntry.parse(value(hash, MARK));
        Duration remaining = left == -1 ? LockStatus.NO_END : Duration.ofMillis(Math.max(0, left));
        List<LockStatus.Holder> holders = new ArrayList<>();
        for (int i = 0; i + 1 < hash.size(); i += 2) {
            String field = hash.get(i);
            if (!field.equals(MARK)) {
                holders.add(new LockStatus.Holder(
                        field,
                        mark == null ? Party.UNKNOWN : mark.party(),
                        ModeCodec.parse(mark == null ? "" : mark.mode(), 0),
                        mark == null ? Duration.ZERO : age(now, mark.second()),
                        remaining,
                        mark == null ? 0 : token(mark.first())));
            }
        }
        return holders;
    }

    private static List<LockStatus.Waiter> waiters(List<String> elements, int from, long now, int capacity) {
        List<LockStatus.Waiter> waiters = new ArrayList<>();
        for (int i = from; i + 1 < elements.size(); i += 2) {
            ClaimEntry entry = ClaimEntry.parse(elements.get(i + 1));
            if (entry != null && entry.second() > now) {
                waiters.add(new LockStatus.Waiter(
                        elements.get(i),
                        entry.party(),
                        ModeCodec.parse(entry.mode(), capacity),
                        age(now, entry.first())));
            }
        }
        // In the order of wake.lua: two may have come in the same microsecond.
        waiters.sort(
                Comparator.comparing(LockStatus.Waiter::waitingFor).reversed().thenComparing(LockStatus.Waiter::owner));
        return waiters;
    }

    /** Parses a number; the largest one if the text is none, or is too large. */
    private static long number(String digits) {
        return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : Long.MAX_VALUE;
    }

    private static int count(String digits) {
        return (int) Math.min(number(digits), Integer.MAX_VALUE);
    }

    private static long token(long fence) {
        return Attempt.token(fence);
    }

    private static Duration age(long now, long since) {
        return Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(Math.max(0, now - since)));
    }

    private static @Nullable String value(List<String> hash, String field) {
        for (int i = 0; i + 1 < hash.size(); i += 2) {
            if (hash.get(i).equals(field)) {
                return hash.get(i + 1);
            }
        }
        return null;
    }
}
