package dev.interlock.redis.connection;

import dev.interlock.redis.command.Failures;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A client of the store's own making, and the threads that it runs on. It is made at the first connection. */
abstract class LettuceClient {

    private @Nullable RedisClient client;
    private boolean closed;

    /**
     * The client. Creating it does no I/O.
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

    /** Ends the client with all its connections, in a bounded time, and what else it has started. */
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

    /** Makes the client; called once at most. */
    abstract RedisClient make();

    /** Ends it, and what else was made for it. */
    abstract void end(RedisClient ending);

    /** Runs a short task later. */
    abstract void schedule(Runnable task, Duration delay);
}
