package dev.interlock.redis.connection;

import dev.interlock.redis.command.Failures;
import dev.interlock.support.DaemonThreads;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A Lettuce client that the store creates for its first connection, and the threads that it runs on. Thread-safe. */
abstract class LettuceClient {

    /** A name service may take as long. */
    private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(10);

    /** For how long threads have nothing to do before they end, after an attempt that has not succeeded. */
    private static final Duration CALM = Duration.ofMillis(100);

    /** The attempts to connect that have not ended. Any thread. */
    private final Set<CompletableFuture<?>> connecting = ConcurrentHashMap.newKeySet();

    /** Whether an attempt has failed: a loop may still be busy with it, and need another loop for that. */
    private volatile boolean failedOnce;

    /** Guarded by this, as is the next. */
    private @Nullable RedisClient client;

    private boolean closed;

    /**
     * Returns the client. Creating it does no I/O.
     *
     * @throws IllegalStateException after {@link #close()}
     */
    public final synchronized RedisClient client() {
        if (closed) {
            throw Failures.closed();
        }
        RedisClient known = client;
        if (known == null) {
            known = make();
            client = known;
        }
        return known;
    }

    /**
     * Begins to connect.
     *
     * @throws IllegalStateException after {@link #close()}
     */
    final <T> CompletionStage<T> connect(Function<RedisClient, ConnectionFuture<T>> how) {
        CompletableFuture<?> attempt = new CompletableFuture<>();
        RedisClient known;
        synchronized (this) {
            known = client();
            // Before it begins: close() waits for it, or refuses it.
            connecting.add(attempt);
        }
        try {
            return how.apply(known).toCompletableFuture().whenComplete((connection, failure) -> {
                if (failure != null) {
                    failedOnce = true;
                }
                ended(attempt);
            });
        } catch (RuntimeException | Error e) {
            ended(attempt);
            throw e;
        }
    }

    private void ended(CompletableFuture<?> attempt) {
        connecting.removeIf(known -> known == attempt);
        attempt.complete(null);
    }

    /**
     * Ends the client with all its connections and threads, in a bounded time. While it still connects, its threads end
     * a moment later: Netty logs an error if the end of an attempt finds no loop any more, and waiting for it here
     * would take as long as a silent server takes to connect. For the same reason threads that have failed to connect
     * end only after a moment of calm.
     */
    public final void close() {
        RedisClient ending;
        synchronized (this) {
            closed = true;
            ending = client;
        }
        if (ending == null) {
            return;
        }
        CompletableFuture<?>[] attempts = connecting.toArray(CompletableFuture[]::new);
        if (attempts.length == 0) {
            end(ending, failedOnce ? CALM : Duration.ZERO);
        } else {
            DaemonThreads.create("interlock-redis-close", () -> {
                        await(CompletableFuture.allOf(attempts), LONGEST_ATTEMPT);
                        end(ending, CALM);
                    })
                    .start();
        }
    }

    /** Waits for the end of something, in whatever way it ends. */
    static void await(Future<?> ended, Duration limit) {
        try {
            ended.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // A thread that hangs is a daemon and does not keep the JVM alive.
        }
    }

    /** Creates the client. Called at most once. */
    abstract RedisClient make();

    /**
     * Ends the client, and everything that was created for it.
     *
     * @param calm for how long the threads that were created for it have nothing to do before they end
     */
    abstract void end(RedisClient ending, Duration calm);

    /** Runs a short task after a delay. */
    abstract void schedule(Runnable task, Duration delay);
}
