package dev.interlock.barrier;

import java.util.concurrent.CompletableFuture;

/**
 * A call that waits, on a thread of its own, as a stage. Whoever ends the stage before the call has, by cancelling, a
 * time-out or in another way, interrupts the thread.
 */
final class AsyncCall<T> extends CompletableFuture<T> {

    /** What the thread does. */
    interface Body<T> {
        T call(AsyncCall<T> stage) throws Exception;
    }

    private final Thread thread;

    /** Whether the body runs, and an interrupt is for it. The monitor guards it. */
    private boolean running = true;

    private AsyncCall(String name, Body<T> body) {
        this.thread = new Thread(() -> run(body), name);
        thread.setDaemon(true);
    }

    static <T> AsyncCall<T> start(String name, Body<T> body) {
        AsyncCall<T> call = new AsyncCall<>(name, body);
        var unused = call.whenComplete((value, failure) -> call.interruptBody());
        call.thread.start();
        return call;
    }

    private void run(Body<T> body) {
        try {
            T value;
            try {
                value = body.call(this);
            } finally {
                bodyEnded();
            }
            complete(value);
        } catch (Throwable e) {
            completeExceptionally(e);
        }
    }

    /** The stages that follow may run on this thread: they get no interrupt that was for the body. */
    private synchronized void bodyEnded() {
        running = false;
        Thread.interrupted();
    }

    private synchronized void interruptBody() {
        if (running) {
            thread.interrupt();
        }
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
