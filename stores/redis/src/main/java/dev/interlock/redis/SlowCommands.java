package dev.interlock.redis;

import dev.interlock.support.Examination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * The commands that held up a server of late, by its {@code SLOWLOG}: while it executes one, it answers nobody. Of each
 * command only the beginning is kept, since what follows may be data of others.
 */
final class SlowCommands {

    /** How many entries to ask for. A server keeps 128 unless it is told otherwise. */
    static final int ENTRIES = 128;

    private static final Duration LATE = Duration.ofMinutes(1);

    /** What the server logs by default. It may be told to log all. */
    private static final long SLOW_MICROS = 10_000;

    /** Renewals wait for so long, too. */
    private static final long VERY_SLOW_MICROS = 1_000_000;

    private static final int SHOWN = 3;
    private static final int LONGEST_WORD = 60;

    /** The fields of an entry in front of the words of its command, and all that every server sends. */
    private static final int LEADING = 3;

    private static final int FIELDS = 6;

    private SlowCommands() {}

    private record Entry(long atSeconds, long micros, List<String> words, String from) {}

    /**
     * Reports the slowest.
     *
     * @param elements of the reply to {@code SLOWLOG GET}: number, time, microseconds, the words of the command, the
     *     client's address and name
     * @param lengths the number of entries, and then of each the number of its fields and that of its words
     * @param nowSeconds the server's time
     */
    static void report(List<String> elements, List<Integer> lengths, long nowSeconds, String where, Examination found) {
        List<Entry> slow = entries(elements, lengths).stream()
                .filter(entry -> entry.micros >= SLOW_MICROS && entry.atSeconds >= nowSeconds - LATE.toSeconds())
                .sorted(Comparator.comparingLong(Entry::micros).reversed())
                .toList();
        if (slow.isEmpty()) {
            found.good("slow commands" + where, "none was logged in the last minute");
            return;
        }
        List<String> texts =
                slow.stream().limit(SHOWN).map(entry -> text(entry, nowSeconds)).toList();
        String state = slow.size() + " logged in the last minute: " + String.join("; ", texts);
        String advice = "the server answers nobody meanwhile: let their sender use SCAN or smaller steps";
        if (slow.get(0).micros >= VERY_SLOW_MICROS) {
            found.warn("slow commands" + where, state, advice);
        } else {
            found.note("slow commands" + where, state, advice);
        }
    }

    private static List<Entry> entries(List<String> elements, List<Integer> lengths) {
        Iterator<String> next = elements.iterator();
        Iterator<Integer> length = lengths.iterator();
        List<Entry> entries = new ArrayList<>();
        int count = length.hasNext() ? length.next() : 0;
        for (int i = 0; i < count; i++) {
            int fields = length.next();
            next.next();
            long atSeconds = Long.parseLong(next.next());
            long micros = Long.parseLong(next.next());
            List<String> words = take(next, length.next());
            List<String> client = take(next, fields - LEADING - 1);
            entries.add(new Entry(atSeconds, micros, words, fields < FIELDS ? "" : from(client)));
        }
        return entries;
    }

    private static List<String> take(Iterator<String> from, int count) {
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(from.next());
        }
        return taken;
    }

    private static String from(List<String> client) {
        String name = client.get(1);
        return " from " + shortened(client.get(0)) + (name.isEmpty() ? "" : " (" + shortened(name) + ")");
    }

    /** With the first argument: a pattern or a key; of a script with the first key, too. */
    private static String text(Entry entry, long nowSeconds) {
        boolean isScript = !entry.words.isEmpty()
                && entry.words.get(0).toUpperCase(Locale.ROOT).startsWith("EVAL");
        List<String> words = entry.words.stream()
                .limit(isScript ? 4 : 2)
                .map(SlowCommands::shortened)
                .toList();
        return String.join(" ", words) + (entry.words.size() > words.size() ? " …" : "") + " took "
                + entry.micros / 1000 + " ms, " + Math.max(0, nowSeconds - entry.atSeconds) + " s ago" + entry.from;
    }

    private static String shortened(String text) {
        return text.codePointCount(0, text.length()) <= LONGEST_WORD
                ? text
                : text.substring(0, text.offsetByCodePoints(0, LONGEST_WORD)) + "…";
    }
}
