package dev.interlock.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Daemon threads for callbacks, where the JVM has no virtual ones: few as long as they keep up, and as many as it takes
 * if callbacks block. Ten thousand losses at once are then told by four threads, not by ten thousand; and no callback
 * waits for another that sleeps for longer than a moment.
 *
 * <p>Whoever watches the time calls {@link #relieve} a moment after {@link #isBehind} was true. Thread-safe; guarded by
 * its own monitor.
 */
class CallbackThreads implements Executor {

    private static final int FEW = 4;
    private static final int MOST_AT_CLOSE = 100;
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    @GuardedBy("this")
    private final Queue<Runnable> queue = new ArrayDeque<>();

    @GuardedBy("this")
    private int threads;

    @GuardedBy("this")
    private int idle;

    @GuardedBy("this")
    private int created;

    /** How many tasks have been taken since the last look: if none, all threads are blocked. */
    @GuardedBy("this")
    private int taken;

    @GuardedBy("this")
    private boolean closed;

    @Override
    public synchronized void execute(Runnable task) {
        queue.add(task);
        if (idle > 0) {
            notify();
        } else if (threads < FEW) {
            create();
        }
    }

    /** Whether tasks wait for a thread. */
    synchronized boolean isBehind() {
        return queue.size() > idle;
    }

    /** Doubles the threads if none has come for a task since the last call. */
    synchronized void relieve() {
        if (taken == 0 && queue.size() > idle) {
            for (int more = Math.min(queue.size(), Math.max(1, threads)); more > 0; more--) {
                create();
            }
        }
        taken = 0;
    }

    /**
     * The threads end when nothing is left to do. What is queued gets its threads now, since nobody will look again.
     */
    synchronized void close() {
        closed = true;
        for (int more = Math.min(queue.size() - idle, MOST_AT_CLOSE); more > 0; more--) {
            create();
        }
        notifyAll();
    }

    @GuardedBy("this")
    private void create() {
        Thread thread = new Thread(this::work, "interlock-callback-" + created);
        thread.setDaemon(true);
        try {
            start(thread);
        } catch (OutOfMemoryError e) {
            // There are too many. The task stays in the queue, and is looked after until one can be started.
            return;
        }
        threads++;
        created++;
    }

    void start(Thread thread) {
        thread.start();
    }

    private void work() {
        for (Runnable task = next(); task != null; task = next()) {
            // Left over from a callback that interrupted its own thread; it means nothing to the next.
            Thread.interrupted();
            task.run();
        }
    }

    /** The next task; null if there was none for a while, and the thread ends. */
    private synchronized @Nullable Runnable next() {
        long until = System.nanoTime() + IDLE_NANOS;
        idle++;
        while (queue.isEmpty() && !closed && until - System.nanoTime() > 0) {
            pause(until - System.nanoTime());
        }
        idle--;
        Runnable task = queue.poll();
        if (task == null) {
            threads--;
        } else {
            taken++;
        }
        return task;
    }

    @GuardedBy("this")
    private void pause(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, nanos));
        } catch (InterruptedException e) {
            // As above.
        }
    }
}
