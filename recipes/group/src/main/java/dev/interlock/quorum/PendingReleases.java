package dev.interlock.quorum;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.StoreRefusal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The pending releases of one store: of claims that are in the store, or may still be granted there. Each is repeated
 * until the store has answered, or the lease would have ended.
 *
 * <p>They are in one queue. While the store does not answer, one release at a time is sent, after delays that grow;
 * once it has answered, the others follow, some at a time. So a store that is down, or has just recovered, gets few
 * requests however many releases are pending.
 *
 * <pre>
 *   ANSWERING ---- no answer ----&gt; DELAYING
 *     ^    ^                        |    ^
 *     |    '---- an answer ---------|    |
 *     |                    the delay has ended, no answer
 *     |                             v    |
 *     '-------- an answer -------- PROBING          close(): all become CLOSED
 * </pre>
 *
 * <p>Thread-safe. The monitor guards all fields, and is not held while the store is called.
 */
final class PendingReleases {

    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

    private enum State {
        /** The store answers: the queue is sent, this many at a time. */
        ANSWERING(8),
        /** The store did not answer a moment ago: nothing is sent. */
        DELAYING(0),
        /** The delay has ended: one release is sent. */
        PROBING(1),
        /** Nothing is sent any more. */
        CLOSED(0);

        private final int limit;

        State(int limit) {
            this.limit = limit;
        }
    }

    /**
     * One release.
     *
     * @param claim as the store knows it
     * @param mayCome whether the store may still grant the claim, by an acquire that is on its way
     * @param delay the delay before the release is repeated if the claim is not there and may come; grows each time
     */
    private record PendingRelease(Claim claim, boolean mayCome, long untilNanos, Duration delay) {

        PendingRelease withLongerDelay() {
            return new PendingRelease(claim, mayCome, untilNanos, delay.multipliedBy(4));
        }
    }

    private final LockStore store;
    private final Duration timeout;
    private final QuorumTime time;

    @GuardedBy("this")
    private final Queue<PendingRelease> queue = new ArrayDeque<>();

    @GuardedBy("this")
    private State state = State.ANSWERING;

    @GuardedBy("this")
    private Duration delay = FIRST_DELAY;

    /** The number of releases that are sent and not answered. */
    @GuardedBy("this")
    private int open;

    /** Whether a thread is sending the queue. No other thread does so then, nor the same thread recursively. */
    @GuardedBy("this")
    private boolean sending;

    /** @param timeout how long the store may take to answer */
    PendingReleases(LockStore store, Duration timeout, QuorumTime time) {
        this.store = store;
        this.timeout = timeout;
        this.time = time;
    }

    /** Adds a claim that the store may still grant. It is sent at once if the store answers. */
    void add(Claim claim) {
        enqueue(pending(claim, true));
    }

    /**
     * Repeats a release that was sent, if its result requires that.
     *
     * @param mayCome whether the store might have granted the claim after the release
     * @param held the answer; null if there was none
     * @param failure why there was no answer; null if there was one
     */
    void repeat(Claim claim, boolean mayCome, @Nullable Boolean held, @Nullable Throwable failure) {
        if (held == null || (mayCome && !held)) {
            settle(pending(claim, mayCome), held, failure);
        }
    }

    private PendingRelease pending(Claim claim, boolean mayCome) {
        return new PendingRelease(
                claim, mayCome, time.nanoTime() + claim.lease().toNanos(), FIRST_DELAY);
    }

    private boolean isOver(PendingRelease release) {
        return time.nanoTime() - release.untilNanos() >= 0;
    }

    void close() {
        moveTo(State.CLOSED);
    }

    private void enqueue(PendingRelease release) {
        synchronized (this) {
            if (state != State.CLOSED) {
                queue.add(release);
            }
        }
        send();
    }

    private void send() {
        if (!beginSending()) {
            return;
        }
        for (PendingRelease next = next(); next != null; next = next()) {
            PendingRelease sent = next;
            var unused = time.within(timeout, store.release(sent.claim())).whenComplete((held, failure) -> {
                synchronized (this) {
                    open--;
                }
                settle(sent, held, failure);
                send();
            });
        }
    }

    private synchronized boolean beginSending() {
        boolean mine = !sending;
        sending = true;
        return mine;
    }

    /**
     * The next release to send; null if there is none, and then sending has ended: whoever makes another release
     * possible later sees that, and sends it.
     */
    private synchronized @Nullable PendingRelease next() {
        PendingRelease next = null;
        while (next == null && open < state.limit && !queue.isEmpty()) {
            PendingRelease first = queue.remove();
            next = isOver(first) ? null : first;
        }
        open += next == null ? 0 : 1;
        sending = next != null;
        return next;
    }

    private void settle(PendingRelease release, @Nullable Boolean held, @Nullable Throwable failure) {
        if (held == null && !isRefusal(failure)) {
            moveTo(State.DELAYING);
            enqueue(release);
            return;
        }
        moveTo(State.ANSWERING);
        // If it was there, it is gone for good; a refusal is final, too. If it was not there, it may still come.
        if (held != null && !held && release.mayCome() && !isOver(release)) {
            time.upTo(release.delay()).execute(() -> enqueue(release.withLongerDelay()));
        }
    }

    /** Whether the store has answered with a failure that would be the same next time. */
    private static boolean isRefusal(@Nullable Throwable failure) {
        Throwable cause = LockStore.causeOf(failure);
        return cause instanceof StoreRefusal || cause instanceof UnsupportedOperationException;
    }

    /** Changes the state, unless the store has it already or is closed. */
    private void moveTo(State next) {
        Duration before;
        synchronized (this) {
            if (state == State.CLOSED || state == next) {
                return;
            }
            state = next;
            before = delay;
            switch (next) {
                case ANSWERING -> delay = FIRST_DELAY;
                case DELAYING -> delay = longer(delay);
                case CLOSED -> queue.clear();
                case PROBING -> queue.removeIf(this::isOver);
            }
        }
        if (next == State.DELAYING) {
            time.upTo(before).execute(this::probe);
        }
    }

    private void probe() {
        synchronized (this) {
            // If the store has answered in the meantime, everything may be sent.
            if (state == State.DELAYING) {
                moveTo(State.PROBING);
            }
        }
        send();
    }

    private static Duration longer(Duration delay) {
        Duration twice = delay.multipliedBy(2);
        return twice.compareTo(LONGEST_DELAY) < 0 ? twice : LONGEST_DELAY;
    }
}
