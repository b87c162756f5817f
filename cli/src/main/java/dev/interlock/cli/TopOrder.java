package dev.interlock.cli;

import dev.interlock.LockStatus.Holder;
import dev.interlock.cli.StatusView.Entry;
import java.time.Duration;
import java.util.Comparator;
import java.util.function.Function;

/** The orders of the list of {@code top}: what an operator looks for comes first. */
enum TopOrder {
    /** The longest hold first. */
    HELD("time held", Comparator.comparing(by(Holder::heldFor), Comparator.reverseOrder())),
    /** The name for which most claims wait first. */
    WAITING(
            "waiters",
            Comparator.comparing((Entry entry) -> entry.lock().waiters().size(), Comparator.reverseOrder())),
    /** The lease that ends soonest first. */
    LEASE("rest of the lease", Comparator.comparing(by(Holder::remainingLease))),
    /** By name. */
    NAME("name", Comparator.comparing((Entry entry) -> entry.lock().name()));

    private final String label;
    private final Comparator<Entry> comparator;

    TopOrder(String label, Comparator<Entry> comparator) {
        this.label = label;
        this.comparator = comparator;
    }

    /** What the list is sorted by. */
    String label() {
        return label;
    }

    /** Entries that are equal in it keep the order of the store, by name. */
    Comparator<Entry> comparator() {
        return comparator;
    }

    TopOrder next() {
        return values()[(ordinal() + 1) % values().length];
    }

    private static Function<Entry, Duration> by(Function<Holder, Duration> value) {
        return entry -> {
            Holder holder = entry.holder();
            return holder == null ? Duration.ZERO : value.apply(holder);
        };
    }
}
