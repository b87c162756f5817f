package dev.interlock.annotation.spi;

import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lease that a transaction keeps for its asynchronous methods on the same names: one after the other has it, and
 * none waits for what its own transaction holds.
 *
 * <pre>
 *   FREE --take--> TAKEN --end--> IDLE, or TAKEN by the next in line --complete--> OVER: released;
 *                    `---fail---> FREE, or as before                                 each call for itself
 * </pre>
 *
 * <p>Thread-safe: its monitor guards the fields, of turns as well; nothing is acquired, completed or released while it
 * is held.
 */
final class KeptLease {

    /** One call of a method. */
    static final class Turn {

        private final Supplier<CompletableFuture<Optional<Lease>>> store;

        /** Its own while it is in line; that of the store if it asks at once. */
        private CompletableFuture<Optional<Lease>> future = new CompletableFuture<>();

        private boolean has;

        /** The lease that it was given, and not acquired by itself. */
        private @Nullable Lease given;

        /** @param store asks the store */
        Turn(Supplier<CompletableFuture<Optional<Lease>>> store) {
            this.store = store;
        }

        CompletableFuture<Optional<Lease>> ask() {
            return store.get();
        }
    }

    /** A thread that has given the lease on so often, each time within the time before, leaves it to another. */
    private static final int DEEPEST = 16;

    private static final ThreadLocal<Integer> GIVEN = ThreadLocal.withInitial(() -> 0);

    private final Deque<Turn> line = new ArrayDeque<>();
    private boolean taken;
    private boolean over;
    private @Nullable Lease idle;

    /** For how long the lock is to be left at the end of the transaction. */
    private Supplier<Duration> leftToLapse = () -> Duration.ZERO;

    /**
     * A call asks for the lease.
     *
     * @param wait for how long; null without limit
     * @return the lease; empty if the wait ended without it. Whoever ends the future gives up
     */
    CompletableFuture<Optional<Lease>> take(Turn turn, @Nullable Duration wait) {
        synchronized (this) {
            if (taken && !over) {
                line.add(turn);
                if (wait != null) {
                    endAfter(turn, wait);
                }
                return turn.future;
            }
            taken = true;
            turn.has = true;
            Lease present = idle;
            idle = null;
            if (present != null && present.isValid()) {
                turn.given = present;
                turn.future.complete(Optional.of(present));
                return turn.future;
            }
        }
        try {
            turn.future = turn.ask();
        } catch (RuntimeException | Error e) {
            fail(turn);
            throw e;
        }
        return turn.future;
    }

    /** Not on the thread of the timer, which all time-outs of the process need: what follows is the caller's. */
    private static void endAfter(Turn turn, Duration wait) {
        CompletableFuture<Optional<Lease>> timer = new CompletableFuture<>();
        var unused = timer.thenAcceptAsync(turn.future::complete);
        var unusedTimer =
                timer.completeOnTimeout(Optional.empty(), TimeUnit.NANOSECONDS.convert(wait), TimeUnit.NANOSECONDS);
        var unusedEnd = turn.future.whenComplete((lease, failure) -> timer.cancel(false));
    }

    /** The call has come to nothing, or its caller has gone before it knew of the lease. */
    void fail(Turn turn) {
        Lease back;
        synchronized (this) {
            line.remove(turn);
            if (!turn.has) {
                return;
            }
            turn.has = false;
            back = turn.given;
        }
        pass(back);
    }

    /**
     * The call needs the lease no more.
     *
     * @param left for how long it wants the lock to be left
     * @return the release; null if that is left to the transaction
     */
    @Nullable
    CompletionStage<ReleaseOutcome> end(Turn turn, Lease lease, Supplier<Duration> left) {
        boolean mine;
        Duration longest;
        synchronized (this) {
            turn.has = false;
            mine = over;
            // All of them run down together: the longest stays it, and the others are not needed.
            if (left.get().compareTo(leftToLapse.get()) > 0) {
                leftToLapse = left;
            }
            longest = leftToLapse.get();
        }
        if (mine) {
            return LeaseEnd.quietly(lease, longest);
        }
        pass(lease);
        return null;
    }

    /** To the next that still waits. One that gives up from now on passes it on by {@link #fail}. */
    private void pass(@Nullable Lease lease) {
        boolean usable = lease != null && lease.isValid();
        Turn next = null;
        Lease surplus = null;
        Duration left = Duration.ZERO;
        synchronized (this) {
            while (next == null && !line.isEmpty()) {
                Turn first = line.remove();
                next = first.future.isDone() ? null : first;
            }
            if (next != null) {
                next.has = true;
                next.given = usable ? lease : null;
            } else if (over) {
                // The transaction was completed just now.
                surplus = lease;
                left = leftToLapse.get();
            } else {
                taken = false;
                idle = lease;
            }
        }
        if (surplus != null) {
            var unused = LeaseEnd.quietly(surplus, left);
        }
        if (next != null && lease != null && usable) {
            give(next, lease);
        } else if (next != null) {
            ask(next);
        }
    }

    /**
     * What the call does with it may end at once, and give it to the one after: the stack must not grow with the line.
     */
    private static void give(Turn turn, Lease lease) {
        int depth = GIVEN.get();
        if (depth == DEEPEST) {
            var unused = turn.future.completeAsync(() -> Optional.of(lease));
            return;
        }
        GIVEN.set(depth + 1);
        try {
            turn.future.complete(Optional.of(lease));
        } finally {
            if (depth == 0) {
                GIVEN.remove();
            } else {
                GIVEN.set(depth);
            }
        }
    }

    /** Asks the store for a call that has waited in line. */
    private static void ask(Turn turn) {
        if (turn.future.isDone()) {
            return;
        }
        CompletableFuture<Optional<Lease>> asked;
        try {
            asked = turn.ask();
        } catch (RuntimeException | Error e) {
            turn.future.completeExceptionally(e);
            return;
        }
        var unused = asked.whenComplete((lease, failure) -> {
            if (failure != null) {
                turn.future.completeExceptionally(failure);
            } else if (!turn.future.complete(lease)) {
                lease.ifPresent(Lease::releaseAsync);
            }
        });
        var unusedEnd = turn.future.whenComplete((lease, failure) -> asked.cancel(false));
    }

    /** The transaction is completed: releases what is idle; who waits asks the store. */
    CompletableFuture<?> complete() {
        Lease last;
        Duration left;
        List<Turn> waiting;
        synchronized (this) {
            over = true;
            last = idle;
            idle = null;
            left = leftToLapse.get();
            waiting = List.copyOf(line);
            line.clear();
        }
        CompletableFuture<?> released = last == null
                ? CompletableFuture.completedFuture(null)
                : LeaseEnd.quietly(last, left).toCompletableFuture();
        waiting.forEach(KeptLease::ask);
        return released;
    }
}
