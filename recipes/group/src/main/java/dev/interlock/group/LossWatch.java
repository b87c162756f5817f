package dev.interlock.group;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Ends the wait of the calling thread when a lease is lost without which the wait is in vain. It looks at the lease,
 * which costs no request: a callback would come late when the callback executor is busy, and stay with the lease for
 * each wait. Begun and closed by the thread that waits.
 *
 * <pre>
 *   WAITING -> WAITING      a look finds the lease valid
 *           -> INTERRUPTED  a look finds that it is not
 *           -> OVER         the wait has ended
 *   INTERRUPTED -> OVER     the same: the interrupt is taken back
 * </pre>
 *
 * <p>The monitor guards the state, and is held for the interrupt: so none comes once the wait is over.
 */
final class LossWatch implements AutoCloseable {

    /** What the thread waits for. */
    interface Wait<T> {
        T await() throws InterruptedException;
    }

    private static final Duration PERIOD = Duration.ofMillis(100);

    /** Looking is short, and runs on the thread of the timer. */
    private static final Executor LATER =
            CompletableFuture.delayedExecutor(PERIOD.toNanos(), TimeUnit.NANOSECONDS, Runnable::run);

    private final Lease lease;
    private final Thread thread = Thread.currentThread();

    @GuardedBy("this")
    private boolean over;

    @GuardedBy("this")
    private boolean interrupted;

    LossWatch(Lease lease) {
        this.lease = lease;
    }

    /**
     * Waits as long as the lease is held.
     *
     * @throws dev.interlock.LockLostException if the lease is lost before
     * @throws IllegalStateException if it is released before
     * @throws InterruptedException if somebody else interrupts the thread; if the lease has ended, too, the thread is
     *     interrupted, and the exception is that of the lease
     */
    static <T> T during(Lease lease, Wait<T> wait) throws InterruptedException {
        LossWatch watch = new LossWatch(lease);
        try (watch) {
            LATER.execute(watch::look);
            return wait.await();
        } catch (InterruptedException e) {
            // The lease has ended, or the interrupt came from elsewhere, or both.
            try {
                lease.ensureValid();
            } catch (RuntimeException ended) {
                if (!watch.hasInterrupted()) {
                    Thread.currentThread().interrupt();
                }
                throw ended;
            }
            throw e;
        }
    }

    private synchronized boolean hasInterrupted() {
        return interrupted;
    }

    synchronized void look() {
        if (over) {
            return;
        }
        if (lease.isValid()) {
            LATER.execute(this::look);
        } else {
            interrupted = true;
            thread.interrupt();
        }
    }

    /** What the thread does next gets no interrupt that was for its wait. */
    @Override
    public synchronized void close() {
        over = true;
        if (interrupted) {
            Thread.interrupted();
        }
    }
}
