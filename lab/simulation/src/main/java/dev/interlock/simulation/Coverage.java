package dev.interlock.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/** How often faults have struck and things were seen. Thread-safe. */
// A history is numbers: cheap to keep, and to compare.
@SuppressWarnings("EnumOrdinal")
final class Coverage {

    private final AtomicLongArray faults = new AtomicLongArray(Fault.Kind.values().length);
    private final AtomicLongArray events = new AtomicLongArray(Event.Kind.values().length);

    void add(History history) {
        for (Event event : history.events()) {
            events.incrementAndGet(event.kind().ordinal());
            if (event.kind() == Event.Kind.FAULT) {
                faults.incrementAndGet((int) event.value());
            }
        }
    }

    /** The faults that have never struck. */
    List<String> unseen() {
        return Arrays.stream(Fault.Kind.values())
                .filter(kind -> faults.get(kind.ordinal()) == 0)
                .map(Fault.Kind::toString)
                .toList();
    }

    /** The tables, for people. */
    String describe() {
        StringBuilder text = new StringBuilder("faults that struck\n");
        for (Fault.Kind kind : Fault.Kind.values()) {
            row(text, kind.toString(), faults.get(kind.ordinal()));
        }
        text.append("events\n");
        for (Event.Kind kind : Event.Kind.values()) {
            row(text, kind.toString(), events.get(kind.ordinal()));
        }
        return text.toString();
    }

    static void row(StringBuilder text, String what, long count) {
        text.append(String.format(Locale.ROOT, "  %-48s %,14d%n", what, count));
    }
}
