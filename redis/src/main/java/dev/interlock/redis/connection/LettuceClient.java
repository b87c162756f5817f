package dev.interlock.redis.connection;

import dev.interlock.redis.command.Failures;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A Lettuce client that the store creates for its first connection, and the threads that it runs on. Thread-safe. */
abstract class LettuceClient {

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

    /** Ends the client with all its connections and threads, in a bounded time. */
    public final void close() {
        RedisClient ending;
        synchronized (this) {
            closed = true;
            ending = client;
        }
        if (ending != null) {
            end(ending);
        }
    }

    /** Creates the client. Called at most once. */
    abstract RedisClient make();

    /** Ends the client, and everything that was created for it. */
    abstract void end(RedisClient ending);

    /** Runs a short task after a delay. */
    abstract void schedule(Runnable task, Duration delay);
}
