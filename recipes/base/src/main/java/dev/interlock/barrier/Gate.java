package dev.interlock.barrier;

import dev.interlock.DistributedLatch;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one party for its gate. It goes on in the store between two looks: a look bounds how long the thread
 * sleeps, and not how long the store has for its answer. For one thread.
 */
final class Gate implements AutoCloseable {

    private final DistributedLatch latch;

    /** Null if the party does not wait in the store. */
    private @Nullable CompletableFuture<Void> opened;

    Gate(DistributedLatch latch) {
        this.latch = latch;
    }

    /**
     * Waits for so long; returns whether the gate is open.
     *
     * @throws RuntimeException if the store was silent for too long, or the client is closed
     */
    boolean await(Duration time) throws InterruptedException {
        if (opened == null) {
            opened = latch.awaitAsync().toCompletableFuture();
        }
        try {
            opened.get(time.toNanos(), TimeUnit.NANOSECONDS);
            opened = null;
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            opened = null;
            throw Stages.unchecked(e);
        }
    }

    /** Shuts it, if it is open. */
    void shut() {
        latch.trySetCount(1);
    }

    @Override
    public void close() {
        if (opened != null) {
            opened.cancel(false);
        }
    }
}
