package dev.interlock.support;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates threads that do not keep the JVM alive. */
public final class DaemonThreads {

    private static final long IDLE_MILLIS = 100;

    private DaemonThreads() {}

    /** A thread that is not started yet. Its name begins with {@code interlock-}. */
    public static Thread create(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * An executor with as many threads as there are tasks at a time. A thread ends 100 ms after its last task. Unlike
     * the common pool, it cannot be filled by an application's tasks.
     *
     * @param name the names of the threads, before their numbers; begins with {@code interlock-}
     */
    public static Executor pool(String name) {
        AtomicInteger created = new AtomicInteger();
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_MILLIS,
                TimeUnit.MILLISECONDS,
                new SynchronousQueue<>(),
                work -> create(name + "-" + created.incrementAndGet(), work));
    }
}
