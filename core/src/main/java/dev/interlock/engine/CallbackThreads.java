package dev.interlock.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Daemon threads for callbacks, for JVMs without virtual threads: a few while they keep up, and more if callbacks
 * block. So four threads notify ten thousand holders of a loss, and no callback waits long for another that blocks.
 *
 * <p>Somebody who watches the time calls {@link #relieve} a moment after {@link #isBehind} was true. Thread-safe;
 * guarded by its own monitor.
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

    /** Whether a task was taken since the last {@link #relieve}: if none was, all threads are blocked. */
    @GuardedBy("this")
    private boolean taken;

    @GuardedBy("this")
    private boolean closed;

    @Override
    public synchronized void execute(Runnable task) {
        queue.add(task);
        if (!isBehind()) {
            notify();
        } else if (threads < FEW || closed) {
            // After the close nobody relieves.
            create();
        }
    }

    /** Whether tasks wait for a thread. */
    synchronized boolean isBehind() {
        return queue.size() > idle;
    }

    /** Doubles the threads if none has taken a task since the last call. */
    synchronized void relieve() {
        if (!taken && queue.size() > idle) {
            for (int more = Math.min(queue.size(), Math.max(1, threads)); more > 0; more--) {
                create();
            }
        }
        taken = false;
    }

    /**
     * Lets the threads end when nothing is left to do. Tasks that are queued get threads now, since {@link #relieve} is
     * not called again.
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
            // There are too many threads. The task stays queued until one can be started.
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
            // A callback may have interrupted its own thread, which means nothing to the next one.
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
            taken = true;
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
