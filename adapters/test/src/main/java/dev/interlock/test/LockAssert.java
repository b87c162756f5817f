package dev.interlock.test;

import dev.interlock.spi.LockId;
import dev.interlock.spi.Printable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about one lock. "Held" is what the store says, whoever holds it; "acquired" is what the clients under test
 * have done since the test began, on whatever thread: an acquisition that was given up is none, and neither is a
 * re-entry. An asynchronous acquisition counts for the thread that has called.
 */
public final class LockAssert extends AbstractAssert<LockAssert, String> {

    private final Locks locks;

    LockAssert(Locks locks, String name) {
        super(LockId.lock(name).name(), LockAssert.class);
        this.locks = locks;
    }

    /** Somebody holds it: code under test, or somebody else. */
    public LockAssert isHeld() {
        if (!locks.isHeld(actual)) {
            throw failed("to be held");
        }
        return this;
    }

    /** Nobody holds it. */
    public LockAssert isFree() {
        if (locks.isHeld(actual)) {
            throw failed("to be free");
        }
        return this;
    }

    /** This thread has acquired it, and has not released or lost it. */
    public LockAssert isHeldByThisThread() {
        if (holders().noneMatch(each -> each.thread() == Thread.currentThread())) {
            throw failed("to be held by this thread, '"
                    + Printable.of(Thread.currentThread().getName()) + "'");
        }
        return this;
    }

    /** Somebody holds it, and it is not this thread. */
    public LockAssert isHeldBySomebodyElse() {
        isHeld();
        if (holders().anyMatch(each -> each.thread() == Thread.currentThread())) {
            throw failed("to be held by somebody else");
        }
        return this;
    }

    /** Code under test waits for it. */
    public LockAssert isWaitedFor() {
        if (!locks.ledger().isWaitedFor(actual)) {
            throw failed("to be waited for");
        }
        return this;
    }

    /**
     * It has been acquired so often.
     *
     * @param times how often, 0 or more
     */
    public LockAssert wasAcquired(int times) {
        List<Ledger.Acquired> acquired = locks.ledger().acquired(actual);
        if (acquired.size() != times) {
            throw failure(
                    "Expected lock '%s' to have been acquired %s, and it was acquired %s: %s",
                    Printable.of(actual), times(times), times(acquired.size()), threads(acquired));
        }
        return this;
    }

    /** It has not been acquired. */
    public LockAssert wasNeverAcquired() {
        return wasAcquired(0);
    }

    /** It has been acquired, and lost before it was released, at least once. */
    public LockAssert wasLost() {
        List<Ledger.Acquired> acquired = locks.ledger().acquired(actual);
        if (acquired.stream().noneMatch(each -> each.end() != null && each.end().isLost())) {
            throw failure(
                    "Expected lock '%s' to have been lost, and it was acquired %s and never lost",
                    Printable.of(actual), times(acquired.size()));
        }
        return this;
    }

    /**
     * Threads with these names have acquired it, in this order, and nobody else.
     *
     * @param names the names of the threads; one for each acquisition
     */
    public LockAssert wasAcquiredByThreads(String... names) {
        List<String> acquired = threads(locks.ledger().acquired(actual));
        if (!acquired.equals(Arrays.asList(names))) {
            throw failure(
                    "Expected lock '%s' to have been acquired by the threads %s, and it was acquired by %s",
                    Printable.of(actual), Arrays.asList(names), acquired);
        }
        return this;
    }

    /**
     * Work that it protects was done, between {@link Locks#enter} and the end, and never by two at once. The lock
     * itself has no part in this: so the check finds work that goes on after a loss, and code that does not lock.
     */
    public LockAssert wasNeverEnteredTwiceAtOnce() {
        if (locks.timesEntered(actual) == 0) {
            throw failure(
                    "Expected work under lock '%s', and there was none: call enter(\"%s\") of Locks where the work is"
                            + " done, for example in a mock",
                    Printable.of(actual), Printable.of(actual));
        }
        List<String> meetings = locks.meetings(actual);
        if (!meetings.isEmpty()) {
            throw failure(
                    "Expected work under lock '%s' never to be done by two at once, and these entered: %s",
                    Printable.of(actual), meetings);
        }
        return this;
    }

    private Stream<Ledger.Acquired> holders() {
        return locks.ledger().acquired(actual).stream().filter(Ledger.Acquired::isHeld);
    }

    private AssertionError failed(String expectation) {
        return failure("Expected lock '%s' %s, and %s", Printable.of(actual), expectation, locks.describe(actual));
    }

    private static List<String> threads(List<Ledger.Acquired> acquired) {
        return acquired.stream().map(each -> each.thread().getName()).toList();
    }

    private static String times(int times) {
        return times == 1 ? "once" : times + " times";
    }
}
