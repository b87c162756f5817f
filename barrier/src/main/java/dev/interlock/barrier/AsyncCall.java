package dev.interlock.barrier;

import java.util.concurrent.CompletableFuture;

/** A call that waits, on a thread of its own, as a stage. Cancelling the stage interrupts the thread. */
final class AsyncCall<T> extends CompletableFuture<T> {

    /** What the thread does. */
    interface Body<T> {
        T call(AsyncCall<T> stage) throws Exception;
    }

    private final Thread thread;

    private AsyncCall(String name, Body<T> body) {
        this.thread = new Thread(() -> run(body), name);
        thread.setDaemon(true);
    }

    static <T> AsyncCall<T> start(String name, Body<T> body) {
        AsyncCall<T> call = new AsyncCall<>(name, body);
        call.thread.start();
        return call;
    }

    private void run(Body<T> body) {
        try {
            complete(body.call(this));
        } catch (Throwable e) {
            completeExceptionally(e);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean isCancelled = super.cancel(mayInterruptIfRunning);
        thread.interrupt();
        return isCancelled;
    }

    /** Stages that follow have no thread of their own to interrupt. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    @Override
    public String toString() {
        return "AsyncCall[thread=" + thread.getName() + ", done=" + isDone() + "]";
    }
}
