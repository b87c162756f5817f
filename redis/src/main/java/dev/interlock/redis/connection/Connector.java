package dev.interlock.redis.connection;

import dev.interlock.support.Host;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Opens connections, without blocking the caller. */
public interface Connector {

    /** A connection for commands. */
    CompletionStage<OpenedConnection> connect();

    /** A connection for messages. */
    CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub();

    /** Runs a short task later. */
    void schedule(Runnable task, Duration delay);

    /** Where it connects to; null if that is found out anew for each connection, or not known. */
    @Nullable
    Host address();

    /** Whether every connection leads to that address: if not, the next one may lead elsewhere. */
    default boolean isFixed() {
        return address() != null;
    }

    /**
     * Connections to another server of the same cluster, with the same rights and settings.
     *
     * @throws IllegalStateException if it cannot make any
     */
    Connector forNode(Host other);

    /** What is wrong with the server that it has connected to, by what that says of itself; null if nothing is. */
    @Nullable
    RuntimeException rejectionOf(HelloReply greeting);

    /**
     * The server there is of no use though it can be connected to: the next connection is to lead to another, if there
     * is one.
     *
     * @param used where the connection led to
     * @return false if there is no other
     */
    default boolean skip(@Nullable Host used) {
        return false;
    }

    /**
     * Takes one who hears when another server takes the place of the one that connections lead to. Mostly none ever
     * does.
     */
    default void onMasterSwitch(Runnable listener) {}

    /** Where it connects to, for messages: no password. */
    String description();

    /**
     * Closes a connection at the end of the store, unless {@link #close()}, which follows, does so anyway: Lettuce
     * complains of a second time.
     */
    void closeFinally(RedisChannelHandler<?, ?> connection);

    /** Ends what it has started itself, in a bounded time. */
    void close();
}
