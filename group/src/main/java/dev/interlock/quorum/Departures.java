package dev.interlock.quorum;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The releases that are owed to one store, each of a claim that stands there, or may come yet: until the store has
 * answered, or the lease would have ended.
 *
 * <p>They stand in one line. While the store does not answer, one of them at a time is tried, after pauses that grow;
 * when it has answered, the others follow, some at a time. So neither a dead store nor one that has just recovered is
 * asked more the more is owed to it.
 *
 * <p>Guarded by its own monitor, which is not held while the store is asked.
 */
final class Departures {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private enum State {
        /** The store answers: what stands in the line is sent, so many at a time. */
        ANSWERING(8),
        /** It does not, and was tried a moment ago: nothing is sent. */
        PAUSING(0),
        /** It did not when it was tried last: one is sent. */
        PROBING(1),
        /** Nothing is sent any more. */
        CLOSED(0);

        private final int together;

        State(int together) {
            this.together = together;
        }
    }

    /**
     * A release that is owed.
     *
     * @param claim as the store knows it
     * @param mayCome whether the store may grant the claim yet, by an acquire that is on its way
     * @param again after which pause it is asked again if the claim does not stand there and may come yet: each one is
     *     longer, for the store may owe many
     */
    private record Departure(Claim claim, boolean mayCome, long untilNanos, Duration again) {

        Departure next() {
            return new Departure(claim, mayCome, untilNanos, again.multipliedBy(4));
        }

        boolean isOver() {
            return System.nanoTime() - untilNanos >= 0;
        }
    }

    private final LockStore store;
    private final Duration patience;

    @GuardedBy("this")
    private final Queue<Departure> line = new ArrayDeque<>();

    @GuardedBy("this")
    private State state = State.ANSWERING;

    @GuardedBy("this")
    private Duration pause = FIRST_PAUSE;

    /** How many have been sent and not answered. */
    @GuardedBy("this")
    private int open;

    /** Whether a thread sends what may be sent: no other does, nor does that one again inside of it. */
    @GuardedBy("this")
    private boolean sending;

    /** @param patience how long the store may take for an answer */
    Departures(LockStore store, Duration patience) {
        this.store = store;
        this.patience = patience;
    }

    /** Releases a claim that the store may grant yet, now if the store answers. */
    void begin(Claim claim) {
        join(departure(claim, true));
    }

    /**
     * A release has been answered, or has failed: goes on with it if more is owed.
     *
     * @param mayCome whether the store might have granted the claim after the release
     * @param held the answer; null if there was none
     * @param failure why there was none; null if there was one
     */
    void goOn(Claim claim, boolean mayCome, @Nullable Boolean held, @Nullable Throwable failure) {
        if (held == null || (mayCome && !held)) {
            settle(departure(claim, mayCome), held, failure);
        }
    }

    void close() {
        enter(State.CLOSED);
    }

    private static Departure departure(Claim claim, boolean mayCome) {
        return new Departure(claim, mayCome, System.nanoTime() + claim.lease().toNanos(), FIRST_PAUSE);
    }

    private void join(Departure departure) {
        synchronized (this) {
            if (state != State.CLOSED) {
                line.add(departure);
            }
        }
        send();
    }

    private void send() {
        if (!beginSending()) {
            return;
        }
        for (Departure next = next(); next != null; next = next()) {
            Departure sent = next;
            var unused = Nodes.within(patience, store.release(sent.claim())).whenComplete((held, failure) -> {
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
     * What is to be sent; if it is nothing, null, and the sending has ended: whoever changes that later finds it so,
     * and sends.
     */
    private synchronized @Nullable Departure next() {
        Departure next = null;
        while (next == null && open < state.together && !line.isEmpty()) {
            Departure first = line.remove();
            next = first.isOver() ? null : first;
        }
        open += next == null ? 0 : 1;
        sending = next != null;
        return next;
    }

    private void settle(Departure departure, @Nullable Boolean held, @Nullable Throwable failure) {
        if (held == null && !isRefusal(failure)) {
            enter(State.PAUSING);
            join(departure);
            return;
        }
        enter(State.ANSWERING);
        // It was there and is gone for ever, or the store says no for good. If it was not there, it may come yet.
        if (held != null && !held && departure.mayCome() && !departure.isOver()) {
            Later.soon(departure.again()).execute(() -> join(departure.next()));
        }
    }

    /** Whether the store has answered, and would say the same again. */
    private static boolean isRefusal(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof IllegalStateException || cause instanceof UnsupportedOperationException;
    }

    private void enter(State next) {
        Duration before;
        synchronized (this) {
            if (state == State.CLOSED || state == next) {
                return;
            }
            state = next;
            before = pause;
            switch (next) {
                case ANSWERING -> pause = FIRST_PAUSE;
                case PAUSING -> pause = longer(pause);
                case CLOSED -> line.clear();
                case PROBING -> {}
            }
        }
        if (next == State.PAUSING) {
            Later.soon(before).execute(this::probe);
        }
    }

    private void probe() {
        synchronized (this) {
            // Otherwise the store has answered meanwhile, and all may be sent.
            if (state == State.PAUSING) {
                state = State.PROBING;
                line.removeIf(Departure::isOver);
            }
        }
        send();
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }
}
