package dev.interlock.simulation;

import java.util.ArrayList;
import java.util.List;

/** What was seen of a run, in the order of the true time. */
// A history is numbers: cheap to keep, and to compare.
@SuppressWarnings("EnumOrdinal")
final class History {

    private final Timeline timeline;
    private final List<Event> events = new ArrayList<>(256);
    private final List<String> errors = new ArrayList<>();

    History(Timeline timeline) {
        this.timeline = timeline;
    }

    /** The true time. */
    long now() {
        return timeline.now();
    }

    void add(Event.Kind kind, int process, int call, int name, long value, long other) {
        events.add(new Event(timeline.now(), kind, process, call, name, value, other));
    }

    /** The engine has thrown this, or logged it. */
    void error(int process, String what) {
        add(Event.Kind.ERROR, process, -1, -1, errors.size(), 0);
        errors.add(what);
    }

    List<Event> events() {
        return events;
    }

    String error(long number) {
        return errors.get((int) number);
    }

    /** A number that two runs share only if they are the same. */
    long hash() {
        long hash = 0xCBF29CE484222325L;
        for (Event event : events) {
            hash = mixed(hash, event.atNanos());
            hash = mixed(hash, event.kind().ordinal());
            hash = mixed(hash, event.process() * 1_000L + event.call() * 10L + event.name());
            hash = mixed(hash, event.value());
            hash = mixed(hash, event.other());
        }
        return hash;
    }

    private static long mixed(long hash, long value) {
        return Long.rotateLeft((hash ^ value) * 0x100000001B3L, 29);
    }
}
