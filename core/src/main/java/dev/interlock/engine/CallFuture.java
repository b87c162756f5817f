package dev.interlock.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What an asynchronous call comes to, as the user sees it. What depends on it runs on the callback executor, which has
 * work only if something does. A thread that blocks for it needs none, and so may be the only one of that executor.
 *
 * <pre>
 *   engine, on any thread:  ready(completion)
 *   user:                   looks, depends on it  ->  completed on the executor, or at once if it is ready
 *                           blocks for it         ->  completed by the blocked thread, when it is ready
 *                           nothing               ->  nothing
 * </pre>
 */
final class CallFuture<T> extends CompletableFuture<T> {

    /** For a call that goes on whatever the user does to its future. */
    static final Runnable NOTHING = () -> {};

    private final Callbacks callbacks;
    private final Runnable onEnd;

    /**
     * How to complete this, or {@link #NOTHING} if the user has done so. It does not fail; nothing but this class and
     * blocked threads may depend on it.
     */
    private final CompletableFuture<Runnable> ready = new CompletableFuture<>();

    private final AtomicBoolean watched = new AtomicBoolean();
    private final AtomicBoolean handed = new AtomicBoolean();

    /** @param onEnd what to do if the user ends it before the engine does */
    CallFuture(Callbacks callbacks, Runnable onEnd) {
        this.callbacks = callbacks;
        this.onEnd = onEnd;
    }

    /**
     * The outcome is there; {@code completion} completes this with it, or finds that the user has ended it. It is
     * called once, by a thread of the user's, if at all.
     */
    void ready(Runnable completion) {
        if (!ready.complete(completion)) {
            callbacks.run(completion);
        }
    }

    /** From now on the user may look at it, or make something depend on it: so it has to complete by itself. */
    private void watch() {
        if (!watched.compareAndSet(false, true)) {
            return;
        }
        if (ready.isDone()) {
            // Nothing depends on it yet that would run in this thread.
            hand();
        } else {
            var unused = ready.thenRun(() -> callbacks.run(this::hand));
        }
    }

    private void hand() {
        if (handed.compareAndSet(false, true)) {
            ready.join().run();
        }
    }

    @Override
    public CompletableFuture<T> toCompletableFuture() {
        watch();
        return this;
    }

    /** Each method that makes another stage depend on this one begins here. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        watch();
        return new CompletableFuture<>();
    }

    @Override
    public boolean isDone() {
        watch();
        return super.isDone();
    }

    // ---- blocked threads

    @Override
    public T join() {
        if (!super.isDone()) {
            var unused = ready.join();
            hand();
        }
        return super.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        if (!super.isDone()) {
            var unused = ready.get();
            hand();
        }
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (!super.isDone()) {
            var unused = ready.get(timeout, unit);
            hand();
        }
        return super.get();
    }

    // ---- ends that the user makes, and nobody else if it was ready before

    @Override
    public boolean complete(T value) {
        boolean completed = super.complete(value);
        ended();
        return completed;
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        boolean completed = super.completeExceptionally(failure);
        ended();
        return completed;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        boolean cancelled = super.cancel(mayInterrupt);
        ended();
        return cancelled;
    }

    private void ended() {
        if (ready.complete(NOTHING)) {
            onEnd.run();
        } else {
            // The outcome was there, and nobody has looked at it: a lease that was granted finds its end here.
            hand();
        }
    }
}
