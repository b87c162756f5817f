package dev.interlock.testkit.contract;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/** Interrupts the thread that made it, from another one and at a moment of its choice. */
final class Interrupter implements AutoCloseable {

    private final Thread victim = Thread.currentThread();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private long interruptions;

    /**
     * Runs the body and interrupts it after this time, or when it is over. It may end by an
     * {@link InterruptedException}; the thread is not interrupted afterwards.
     */
    void interrupt(long afterNanos, Caller.Action body) throws Exception {
        CompletableFuture<Void> interrupted = CompletableFuture.runAsync(
                () -> {
                    LockSupport.parkNanos(afterNanos);
                    victim.interrupt();
                },
                thread);
        try {
            body.run();
        } catch (InterruptedException e) {
            interruptions++;
        } finally {
            interrupted.join();
            // One that came too late would end what comes next.
            var unused = Thread.interrupted();
        }
    }

    /** How many of them have ended a body. */
    long interruptions() {
        return interruptions;
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
