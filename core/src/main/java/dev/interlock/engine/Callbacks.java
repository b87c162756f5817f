package dev.interlock.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Where code of the user runs: never on a thread of the engine or of a store's client. Thread-safe. */
final class Callbacks {

    private static final Logger LOG = System.getLogger("dev.interlock");

    private final @Nullable Executor given;
    private volatile @Nullable ExecutorService own;

    Callbacks(@Nullable Executor given) {
        this.given = given;
    }

    /** Runs it soon; what it throws is logged. */
    void run(Runnable code) {
        Runnable safe = () -> {
            try {
                code.run();
            } catch (Throwable e) {
                LOG.log(Level.WARNING, "A callback or listener threw; the lock is not affected", e);
            }
        };
        try {
            executor().execute(safe);
        } catch (RuntimeException | Error e) {
            // The user's executor is full, shut down or broken, or ours is closing. Losing a completion would leave its
            // caller
            // waiting for ever.
            Thread thread = new Thread(safe, "interlock-callback-rejected");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Ends our own threads when they have run what they were given. */
    void close() {
        ExecutorService executor = own;
        if (executor != null) {
            executor.shutdown();
        }
    }

    private Executor executor() {
        if (given != null) {
            return given;
        }
        ExecutorService executor = own;
        return executor != null ? executor : create();
    }

    private synchronized Executor create() {
        ExecutorService executor = own;
        if (executor == null) {
            executor = virtualThreads();
            if (executor == null) {
                executor = daemonThreads();
            }
            own = executor;
        }
        return executor;
    }

    private static ExecutorService daemonThreads() {
        AtomicInteger count = new AtomicInteger();
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), code -> {
            Thread thread = new Thread(code, "interlock-callback-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** The executor of JDK 21 and later, found by name because this is compiled for 17; null where there is none. */
    private static @Nullable ExecutorService virtualThreads() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            return null;
        }
    }
}
