package dev.interlock.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** All that happened in a trial, in the order in which it arrived here. Thread-safe; its monitor guards the events. */
final class History {

    private final List<Event> events = new ArrayList<>();

    synchronized void add(Event event) {
        events.add(event);
        notifyAll();
    }

    /** An event of now, without a hold. */
    void add(int client, What what) {
        add(new Event(System.nanoTime(), client, 0, what, Rival.NO_TOKEN, ""));
    }

    synchronized List<Event> events() {
        return List.copyOf(events);
    }

    /** Where the next event goes. */
    synchronized int size() {
        return events.size();
    }

    /**
     * Waits for an event at or behind this place.
     *
     * @return whether it came in this time
     */
    synchronized boolean await(int from, Predicate<Event> wanted, Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        int next = from;
        while (true) {
            for (; next < events.size(); next++) {
                if (wanted.test(events.get(next))) {
                    return true;
                }
            }
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, events().stream().map(Event::toLine).toList());
    }
}
