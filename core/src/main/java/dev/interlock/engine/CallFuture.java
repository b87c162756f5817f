package dev.interlock.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The future of an asynchronous call, as the user sees it. Stages that depend on it run on the callback executor, which
 * gets work only if there are such stages. A thread that blocks for it needs no executor, and so may be the only thread
 * of that executor.
 *
 * <pre>
 *   engine, on any thread:  ready(completion)
 *   user:                   looks, or adds a stage  ->  completed on the executor, or at once if it is ready
 *                           blocks                  ->  completed by the blocked thread, when it is ready
 *                           nothing                 ->  nothing
 * </pre>
 */
final class CallFuture<T> extends CompletableFuture<T> {

    /** The action at the end of a call that goes on whatever the user does to its future. */
    static final Runnable NOTHING = () -> {};

    private final Callbacks callbacks;
    private final Runnable onEnd;

    /**
     * The action that completes this future, or {@link #NOTHING} if the user has completed it. It does not fail. Only
     * this class and blocked threads may depend on it.
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
     * The outcome is known. {@code completion} completes this future with it, unless the user has completed it; it is
     * called at most once, by a thread of the user or of the executor.
     */
    void ready(Runnable completion) {
        if (!ready.complete(completion)) {
            callbacks.run(completion);
        }
    }

    /** From now on the user may look at the future or add stages, so it has to complete by itself. */
    private void watch() {
        if (!watched.compareAndSet(false, true)) {
            return;
        }
        if (ready.isDone()) {
            // No stage depends on it yet that would run in this thread.
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

    /** Every method that adds a stage begins here. */
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
        long until = System.nanoTime() + unit.toNanos(timeout);
        if (!super.isDone()) {
            var unused = ready.get(timeout, unit);
            hand();
        }
        // Another thread may be about to complete it.
        return super.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    // ---- completed by the user

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

    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        // That of the super class completes without a call of complete().
        executor.execute(() -> {
            try {
                complete(supplier.get());
            } catch (Throwable e) {
                completeExceptionally(e);
            }
        });
        return this;
    }

    @Override
    public void obtrudeValue(T value) {
        super.obtrudeValue(value);
        ended();
    }

    @Override
    public void obtrudeException(Throwable failure) {
        super.obtrudeException(failure);
        ended();
    }

    private void ended() {
        if (ready.complete(NOTHING)) {
            onEnd.run();
        } else {
            // The outcome was known, and nobody had looked at it: a lease that was granted is released here.
            hand();
        }
    }
}
