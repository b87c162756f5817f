package dev.interlock.redis;

import io.lettuce.core.RedisClient;
import java.time.Duration;

/** A client of the store's own making, and the threads that it runs on. */
interface Lettuce {

    /**
     * The client. Creating it does no I/O.
     *
     * @throws IllegalStateException after {@link #close()}
     */
    RedisClient client();

    /** Runs a short task later. */
    void schedule(Runnable task, Duration delay);

    /** Ends the client with all its connections, in a bounded time, and what else it has started. */
    void close();
}
