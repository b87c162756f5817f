package dev.interlock.spring;

import java.util.concurrent.CompletableFuture;

/**
 * How many locked methods run, so that the application can wait for them before it closes its clients.
 *
 * <pre>
 *   OPEN: enter, leave --close--> CLOSING: leave, enter of nested calls --the last leaves--> CLOSED
 * </pre>
 *
 * <p>Thread-safe: its monitor guards the count and the state; the future is completed after leaving it.
 */
public final class RunningMethods {

    /** How many synchronous locked methods this thread is in: what it calls belongs to a method that runs already. */
    private final ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 0);

    private final CompletableFuture<Void> allEnded = new CompletableFuture<>();
    private int running;
    private boolean closing;

    /**
     * A locked method begins.
     *
     * @throws IllegalStateException if the application is closing, and the method is not part of one that runs already
     */
    void enter() {
        boolean nested = depth.get() > 0;
        synchronized (this) {
            if (closing && !nested) {
                throw new IllegalStateException("The application is closing: no method with @Locked begins any more");
            }
            running++;
        }
    }

    /** A locked method has ended, however it did. */
    void leave() {
        boolean last;
        synchronized (this) {
            running--;
            last = closing && running == 0;
        }
        if (last) {
            allEnded.complete(null);
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

    /** Refuses new methods from now on; the future completes when the last of those that run has ended. */
    public CompletableFuture<Void> close() {
        boolean none;
        synchronized (this) {
            closing = true;
            none = running == 0;
        }
        if (none) {
            allEnded.complete(null);
        }
        return allEnded.copy();
    }

    /** Whether no method begins any more. */
    public synchronized boolean isClosing() {
        return closing;
    }
}
