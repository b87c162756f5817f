package dev.interlock.cli;

import dev.interlock.LockStatus.Holder;
import dev.interlock.cli.StatusView.Entry;
import java.time.Duration;
import java.util.Comparator;
import java.util.function.Function;

/** The orders of a list of locks: what an operator looks for comes first. */
enum TopOrder {
    /** The longest hold first. */
    HELD("time held"),
    /** The name for which most claims wait first. */
    WAITING("waiters"),
    /** The lease that ends soonest first. */
    LEASE("rest of the lease"),
    /** By name. */
    NAME("name");

    private final String label;

    TopOrder(String label) {
        this.label = label;
    }

    /** What the list is sorted by. */
    String label() {
        return label;
    }

    /** Entries that are equal in it keep the order of the store, by name. */
    Comparator<Entry> comparator() {
        return switch (this) {
            case HELD -> Comparator.comparing(by(Holder::heldFor), Comparator.reverseOrder());
            case WAITING ->
                Comparator.comparing((Entry entry) -> entry.lock().waiters().size(), Comparator.reverseOrder());
            case LEASE -> Comparator.comparing(by(Holder::remainingLease));
            case NAME -> Comparator.comparing((Entry entry) -> entry.lock().name());
        };
    }

    /** The next one in a circle. */
    TopOrder next() {
        return switch (this) {
            case HELD -> WAITING;
            case WAITING -> LEASE;
            case LEASE -> NAME;
            case NAME -> HELD;
        };
    }

    private static Function<Entry, Duration> by(Function<Holder, Duration> value) {
        return entry -> {
            Holder holder = entry.holder();
            return holder == null ? Duration.ZERO : value.apply(holder);
        };
    }
}
