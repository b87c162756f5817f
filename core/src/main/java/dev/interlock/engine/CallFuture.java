package dev.interlock.engine;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What an asynchronous call comes to, as the user sees it. What depends on it runs on the callback executor, which has work only if something does. A thread that blocks
 * for it needs none, and so may be the only one of that executor.
 *
 * <pre>
 *   engine, on any thread:  ready(completion)
 *   user:                   looks, depends on it  ->  completed on the executor, or at once if it is ready
 *                           blocks for it         ->  completed by the blocked thread, when it is ready
 *                           nothing               ->  nothing
 * </pre>
 */
class CallFuture<T> extends CompletableFuture<T> {

    private final Callbacks callbacks;

    /** How to complete this. It does not fail; nothing but this class and blocked threads may depend on it. */
    private final CompletableFuture<Runnable> ready = new CompletableFuture<>();

    private final AtomicBoolean watched = new AtomicBoolean();
    private final AtomicBoolean handed = new AtomicBoolean();

    CallFuture(Callbacks callbacks) {
        this.callbacks = callbacks;
    }

    /** The outcome is there; {@code completion} completes this with it, and is called once at most, by a thread of the user's. */
    final void ready(Runnable completion) {
        ready.complete(completion);
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
    public final CompletableFuture<T> toCompletableFuture() {
        watch();
        return this;
    }

    /** Each method that makes another stage depend on this one begins here. */
    @Override
    public final <U> CompletableFuture<U> newIncompleteFuture() {
        watch();
        return new CompletableFuture<>();
    }

    @Override
    public final boolean isDone() {
        watch();
        return super.isDone();
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        watch();
        return super.cancel(mayInterrupt);
    }

    @Override
    public final T join() {
        if (!super.isDone()) {
            try {
                var unused = readyOrEnded().join();
            } catch (CompletionException | CancellationException e) {
                // The user has ended this, as is told below.
            }
            handIfReady();
        }
        return super.join();
    }

    @Override
    public final T get() throws InterruptedException, ExecutionException {
        if (!super.isDone()) {
            try {
                var unused = readyOrEnded().get();
            } catch (ExecutionException | CancellationException e) {
                // As above.
            }
            handIfReady();
        }
        return super.get();
    }

    @Override
    public final T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (!super.isDone()) {
            try {
                var unused = readyOrEnded().get(timeout, unit);
            } catch (ExecutionException | CancellationException e) {
                // As above.
            }
            handIfReady();
        }
        return super.get();
    }

    /** Also if the user cancels or completes this while a thread blocks for it. */
    private CompletableFuture<?> readyOrEnded() {
        return CompletableFuture.anyOf(ready, this);
    }

    private void handIfReady() {
        if (ready.isDone()) {
            hand();
        }
    }
}
