package dev.interlock.annotation.spi;

import dev.interlock.spi.Printable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Which locked methods run, so that the application can wait for them before it stops, or closes its clients.
 *
 * <pre>
 *   OPEN: enter, leave --end--> ENDING: leave, enter of nested calls --the last leaves--> ENDED
 *     ^                           |                                                         |
 *     `------------begin----------+---------------------------------------------------------'
 * </pre>
 *
 * <p>Thread-safe: its monitor guards the calls and the state; futures are completed after leaving it.
 */
public final class RunningMethods {

    /** How many synchronous locked methods this thread is in: what it calls belongs to a method that runs already. */
    private final ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 0);

    private final Set<Run> running = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Null while methods may begin. */
    private @Nullable CompletableFuture<Void> ending;

    /** None runs yet, and any may begin. */
    public RunningMethods() {}

    /** One call of a method. Thread-safe: its monitor guards the names. */
    static final class Run {

        private final String method;
        private final boolean asynchronous;
        private final List<String> names = new ArrayList<>(1);

        /** Whether it began before the end. Guarded by the monitor of the methods. */
        private boolean early;

        /** What the caller of an asynchronous method has; null before it has it. */
        private volatile @Nullable CompletableFuture<?> result;

        /** That of the caller of an asynchronous method. */
        private volatile @Nullable CallerTransaction transaction;

        private Run(String method, boolean asynchronous) {
            this.method = method;
            this.asynchronous = asynchronous;
        }

        /** Its caller has this transaction; null, as at first, if it has none. */
        void transaction(@Nullable CallerTransaction ofTheCaller) {
            transaction = ofTheCaller;
        }

        @Nullable
        CallerTransaction transaction() {
            return transaction;
        }

        /** It waits for these locks now, or holds them. */
        synchronized void locks(List<String> more) {
            names.addAll(more);
        }

        /** The caller gets this. */
        void result(CompletableFuture<?> ofTheCaller) {
            result = ofTheCaller;
        }

        /** Whether the caller has ended its result: nothing begins any more. */
        boolean isGivenUp() {
            CompletableFuture<?> ofTheCaller = result;
            return ofTheCaller != null && ofTheCaller.isDone();
        }

        @Override
        public synchronized String toString() {
            return method + " " + Printable.of(names.toString());
        }
    }

    /**
     * A synchronous locked method begins.
     *
     * @param method the method, for people
     * @return the call, for {@link #leave}
     * @throws IllegalStateException if the application stops, and the method is not part of one that runs already
     */
    Run enter(String method) {
        return enter(new Run(method, false));
    }

    /** An asynchronous one begins, which may go on on any thread. Throws as {@link #enter}. */
    Run enterAsync(String method) {
        return enter(new Run(method, true));
    }

    private Run enter(Run run) {
        boolean nested = depth.get() > 0;
        synchronized (this) {
            if (ending != null && !nested && running.stream().noneMatch(known -> known.early && known.asynchronous)) {
                throw new IllegalStateException(
                        "The application is closing, or has been stopped: no method with @Locked begins before it is"
                                + " started again: " + run.method);
            }
            run.early = ending == null;
            running.add(run);
        }
        return run;
    }

    /** A locked method has ended, however it did. */
    void leave(Run run) {
        CompletableFuture<Void> last;
        synchronized (this) {
            last = running.remove(run) && running.isEmpty() ? ending : null;
        }
        if (last != null) {
            last.complete(null);
        }
    }

    /** The calling thread is in the body of a synchronous method; to be undone by {@link #ascend}. */
    void descend() {
        depth.set(depth.get() + 1);
    }

    void ascend() {
        int left = depth.get() - 1;
        if (left == 0) {
            depth.remove();
        } else {
            depth.set(left);
        }
    }

    /**
     * Refuses new methods until {@link #begin}; the future completes when the last of those that run has ended. What
     * these call belongs to them, and is not refused: a call in the body of a synchronous method, and any call while an
     * asynchronous method runs that began before, since that may go on on any thread.
     *
     * <p>Not named {@code close} or {@code shutdown}: Spring would call that when it destroys the bean, and wait for
     * the future without limit.
     */
    public CompletableFuture<Void> end() {
        CompletableFuture<Void> ended;
        boolean none;
        synchronized (this) {
            ended = ending == null ? new CompletableFuture<>() : ending;
            ending = ended;
            none = running.isEmpty();
        }
        if (none) {
            ended.complete(null);
        }
        return ended.copy();
    }

    /** Methods may begin, at first or again: an application may be started after it was stopped. */
    public void begin() {
        CompletableFuture<Void> before;
        synchronized (this) {
            before = ending;
            ending = null;
            running.forEach(run -> run.early = true);
        }
        if (before != null) {
            // Nobody waits any more for what still runs.
            before.complete(null);
        }
    }

    /** Whether no method begins. */
    public synchronized boolean isClosing() {
        return ending != null;
    }

    /** The methods that run now, each with the names of the locks that it holds or waits for. */
    public synchronized List<String> running() {
        return running.stream().map(Run::toString).toList();
    }
}
