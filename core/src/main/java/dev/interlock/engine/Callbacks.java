package dev.interlock.engine;

import dev.interlock.spi.Log;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs code of the user, never on a thread of the engine or of a store's client. Thread-safe. */
final class Callbacks {

    /** How long a callback may wait for a thread before the pool looks whether all of them are blocked. */
    private static final long LOOK_AFTER_NANOS = Duration.ofMillis(5).toNanos();

    /** What is to run on this thread after the callback that it runs; null if it runs none of a given executor. */
    private static final ThreadLocal<@Nullable Queue<Runnable>> NESTED = new ThreadLocal<>();

    private final EngineClock clock;
    private final Supervisor supervisor;
    private final @Nullable Executor given;
    private final CallbackThreads threads = new CallbackThreads();

    private volatile @Nullable ExecutorService virtual;
    private volatile @Nullable Executor own;

    Callbacks(@Nullable Executor given, EngineClock clock, Supervisor supervisor) {
        this.given = given;
        this.clock = clock;
        this.supervisor = supervisor;
    }

    /** Runs the code soon, and logs what it throws. */
    void run(Runnable code) {
        Runnable safe = given == null ? () -> runSafely(code) : () -> runInTurn(code);
        try {
            executor().execute(safe);
            if (threads.isBehind()) {
                supervisor.arm(clock.now() + LOOK_AFTER_NANOS);
            }
        } catch (RuntimeException | Error e) {
            // The user's executor is full, shut down or broken, or ours is closing. If the completion were lost, its
            // caller would wait for ever.
            Thread thread = new Thread(safe, "interlock-callback-rejected");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void runSafely(Runnable code) {
        try {
            code.run();
        } catch (Throwable e) {
            threw(e);
        }
    }

    /**
     * An executor may run its tasks on the calling thread. A callback that releases a lock brings about the next one:
     * that runs after it, not within it, or the stack would be as deep as there are callers.
     */
    private static void runInTurn(Runnable code) {
        Queue<Runnable> outer = NESTED.get();
        if (outer != null) {
            outer.add(code);
            return;
        }
        Queue<Runnable> turn = new ArrayDeque<>();
        NESTED.set(turn);
        try {
            for (Runnable next = code; next != null; next = turn.poll()) {
                runSafely(next);
            }
        } finally {
            NESTED.remove();
        }
    }

    /** Calls code that waits for the store, on a thread of the executor. The future has what it returns or throws. */
    <T> CompletableFuture<T> supplyAsync(Supplier<T> code) {
        CompletableFuture<T> result = new CompletableFuture<>();
        run(() -> {
            try {
                result.complete(code.get());
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** As {@link #supplyAsync}, without a result. */
    CompletableFuture<Void> runAsync(Runnable code) {
        return supplyAsync(() -> {
                    code.run();
                    return true;
                })
                .thenAccept(done -> {});
    }

    /** Logs what code of the user threw. */
    static void threw(Throwable e) {
        Log.named("dev.interlock").log(Level.WARNING, "A callback or observer threw; the lock is not affected", e);
    }

    /** Gives callbacks more threads if those that exist do not keep up; returns when to look again. */
    long tick(long nowNanos) {
        if (!threads.isBehind()) {
            return EngineClock.NEVER;
        }
        threads.relieve();
        return nowNanos + LOOK_AFTER_NANOS;
    }

    /** Ends the threads of this pool when they have run what is queued. */
    void close() {
        ExecutorService executor = virtual;
        if (executor != null) {
            executor.shutdown();
        }
        threads.close();
    }

    private Executor executor() {
        if (given != null) {
            return given;
        }
        Executor executor = own;
        return executor != null ? executor : choose();
    }

    private synchronized Executor choose() {
        Executor executor = own;
        if (executor == null) {
            virtual = virtualThreads();
            executor = virtual == null ? threads : virtual;
            own = executor;
        }
        return executor;
    }

    /**
     * The executor of JDK 21 and later. It is found by reflection, because this is compiled for 17; null where there is
     * none.
     */
    private static @Nullable ExecutorService virtualThreads() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            return null;
        }
    }
}
