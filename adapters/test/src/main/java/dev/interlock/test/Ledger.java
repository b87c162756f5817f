package dev.interlock.test;

import dev.interlock.LeaseOrigin;
import dev.interlock.LockObserver;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the clients under test have acquired, in this order. Its own monitor guards all of it. Thread-safe. */
final class Ledger implements LockObserver {

    private final Consumer<String> waits;
    private final UnaryOperator<String> describe;
    private final List<Entry> entries = new ArrayList<>();
    private int acquisitions;
    private volatile Duration patience;

    /**
     * @param patience for how long a caller may wait, by the real time
     * @param waits called with the name, on the thread of the caller, when one begins to wait
     * @param describe says who holds a name
     */
    Ledger(Duration patience, Consumer<String> waits, UnaryOperator<String> describe) {
        this.patience = patience;
        this.waits = waits;
        this.describe = describe;
    }

    /** For how long a caller may wait that begins from now on. */
    void patience(Duration time) {
        patience = time;
    }

    /** One call that acquires. */
    private final class Entry implements Acquisition {

        private final String name;
        private final Thread thread = Thread.currentThread();

        /** Completed when the caller waits no more: true if it has waited too long. */
        private final CompletableFuture<Boolean> decided = new CompletableFuture<>();

        /** Ends the wait; null if the caller does not wait. */
        private @Nullable Consumer<RuntimeException> waiting;

        /** Of the application, which acquired it before the test began. */
        private boolean old;

        /** From 1; 0 if it has not acquired. */
        private int number;

        private @Nullable ReleaseOutcome end;

        Entry(String name) {
            this.name = name;
        }

        @Override
        public void waiting(boolean blocked, Predicate<RuntimeException> giveUp) {
            Consumer<RuntimeException> end = reason -> {
                // False if the outcome came first.
                boolean unused = giveUp.test(reason);
            };
            Duration bound = patience;
            // The outcome may have come before this.
            change(() -> waiting = decided.isDone() ? null : end);
            var unused = decided.completeOnTimeout(true, bound.toNanos(), TimeUnit.NANOSECONDS)
                    .thenAccept(late -> {
                        if (late) {
                            Bounded.onAThread(() -> end.accept(tooLong()));
                        }
                    });
            waits.accept(name);
        }

        private IllegalStateException tooLong() {
            return new IllegalStateException("Waited too long for lock '" + Printable.of(name) + "' on thread '"
                    + Printable.of(thread.getName()) + "': " + describe.apply(name)
                    + "; have the test release it, for example by whenWaiting, or advance the clock");
        }

        @Override
        public void acquired(long token, LeaseOrigin origin, Duration waited) {
            decided.complete(false);
            change(() -> {
                waiting = null;
                number = ++acquisitions;
            });
        }

        @Override
        public void gaveUp(@Nullable Throwable failure, Duration waited) {
            decided.complete(false);
            change(() -> {
                waiting = null;
                entries.remove(this);
            });
        }

        @Override
        public void ended(ReleaseOutcome outcome, Duration held) {
            change(() -> end = outcome);
        }

        boolean isHeld() {
            return number > 0 && end == null;
        }

        boolean isOfTest() {
            return number > 0 && !old;
        }
    }

    /**
     * One acquisition.
     *
     * @param end how it has ended; null if it is held
     */
    record Acquired(String name, Thread thread, int number, @Nullable ReleaseOutcome end) {

        boolean isHeld() {
            return end == null;
        }

        @Override
        public String toString() {
            return "'" + Printable.of(name) + "' by thread '" + Printable.of(thread.getName()) + "'";
        }
    }

    @Override
    public Acquisition acquiring(String name, LockKind kind, Mode mode) {
        Entry entry = new Entry(name);
        change(() -> entries.add(entry));
        return entry;
    }

    private synchronized void change(Runnable change) {
        change.run();
        notifyAll();
    }

    /** All acquisitions since the test began, in their order. */
    synchronized List<Acquired> acquired() {
        return entries.stream()
                .filter(Entry::isOfTest)
                .map(entry -> new Acquired(entry.name, entry.thread, entry.number, entry.end))
                .sorted((one, other) -> Integer.compare(one.number, other.number))
                .toList();
    }

    /** Those of one name. */
    List<Acquired> acquired(String name) {
        return acquired().stream().filter(each -> each.name.equals(name)).toList();
    }

    /** What this thread has acquired since the test began. */
    Set<String> namesOfThisThread() {
        return acquired().stream()
                .filter(each -> each.thread == Thread.currentThread())
                .map(Acquired::name)
                .collect(Collectors.toSet());
    }

    /** Whether a caller waits for the name. */
    synchronized boolean isWaitedFor(String name) {
        return entries.stream().anyMatch(entry -> entry.waiting != null && entry.name.equals(name));
    }

    /** Ends the waits of the test for the names; each caller gets one exception. Not within a call of an observer. */
    void endWaits(Predicate<String> names, Supplier<RuntimeException> reason) {
        List<Consumer<RuntimeException>> ends;
        synchronized (this) {
            ends = entries.stream()
                    .filter(entry -> !entry.old && names.test(entry.name))
                    .flatMap(entry -> Stream.ofNullable(entry.waiting))
                    .toList();
        }
        ends.forEach(end -> end.accept(reason.get()));
    }

    /** Whether a caller holds the name. */
    synchronized boolean isHeld(String name) {
        return entries.stream().anyMatch(entry -> entry.isHeld() && entry.name.equals(name));
    }

    /** Waits for something that this ledger learns of, for a bounded time; returns whether it has come. */
    synchronized boolean await(Duration limit, BooleanSupplier condition) {
        return Bounded.await(this, limit, condition);
    }

    /** What the test has left, each with its thread and what to do about it. */
    synchronized List<String> left() {
        List<String> left = new ArrayList<>();
        String held = acquired().stream()
                .filter(Acquired::isHeld)
                .map(each -> "lock " + each)
                .collect(Collectors.joining(", "));
        if (!held.isEmpty()) {
            left.add("Still held after the test: " + held + "; release each lock before the test ends, in a finally"
                    + " block of the code under test: unlock(), or close the lease");
        }
        String waits = entries.stream()
                .filter(entry -> !entry.old && entry.waiting != null)
                .map(entry -> "lock " + new Acquired(entry.name, entry.thread, 0, null))
                .collect(Collectors.joining(", "));
        if (!waits.isEmpty()) {
            left.add("Still waited for after the test: " + waits + "; release it, and join the thread, before the test"
                    + " ends");
        }
        return left;
    }

    /** A test begins. What is held by now, such as a leadership of the application, is not its own. */
    synchronized void begin() {
        entries.removeIf(entry -> entry.number > 0 && !entry.isHeld());
        entries.forEach(entry -> entry.old = true);
    }
}
