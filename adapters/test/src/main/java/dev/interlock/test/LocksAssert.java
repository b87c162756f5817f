package dev.interlock.test;

import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/** Assertions about several locks, as {@link LockAssert} about one. */
public final class LocksAssert extends AbstractAssert<LocksAssert, List<String>> {

    private final Locks locks;

    LocksAssert(Locks locks, String... names) {
        super(List.copyOf(Arrays.asList(names)), LocksAssert.class);
        this.locks = locks;
    }

    /**
     * These locks have been acquired in this order: a name for each acquisition. Acquisitions of other locks do not
     * count.
     */
    public LocksAssert wereAcquiredInThisOrder() {
        List<String> acquired = locks.ledger().acquired().stream()
                .map(Ledger.Acquired::name)
                .filter(actual::contains)
                .toList();
        if (!acquired.equals(actual)) {
            throw failure("Expected locks to have been acquired in the order %s, and it was %s", actual, acquired);
        }
        return this;
    }

    /** Nobody holds any of them. */
    public LocksAssert areFree() {
        for (String name : actual) {
            if (locks.isHeld(name)) {
                throw failure("Expected locks %s to be free, and of '%s': %s", actual, name, locks.describe(name));
            }
        }
        return this;
    }
}
