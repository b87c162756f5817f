package dev.interlock.redis.connection;

import dev.interlock.support.Host;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Opens connections to one server, or to one of several, without blocking the caller. Thread-safe. */
public interface Connector {

    /** Opens a connection for commands. */
    CompletionStage<OpenedConnection> connect();

    /** Opens a connection for messages. */
    CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub();

    /** Runs a short task after a delay. */
    void schedule(Runnable task, Duration delay);

    /** The server that the next connection leads to; null if that is decided for each connection, or not known. */
    @Nullable
    Host address();

    /** Whether all connections lead to that address. */
    default boolean isFixed() {
        return address() != null;
    }

    /**
     * Returns a connector to another node of the same cluster, with the same credentials and settings.
     *
     * @throws IllegalStateException if there is none
     */
    Connector forNode(Host other);

    /** Returns why the connected server is not usable, by its reply to {@code HELLO}; null if it is usable. */
    @Nullable
    RuntimeException rejectionOf(HelloReply greeting);

    /**
     * Notes that a server accepts connections but is of no use: the next connection leads to another, if there is one.
     *
     * @param used the server of the connection
     * @return false if there is no other server
     */
    default boolean skip(@Nullable Host used) {
        return false;
    }

    /** Adds a listener that runs when another server has become the master. Most connectors never call it. */
    default void onMasterSwitch(Runnable listener) {}

    /** The servers, as messages show them, without a password. */
    String description();

    /**
     * Closes a connection when the store is closed, unless {@link #close()}, which follows, does that: Lettuce logs a
     * warning about the second time.
     */
    void closeFinally(RedisChannelHandler<?, ?> connection);

    /** Ends the clients and threads that it has started, in a bounded time. */
    void close();
}
