package dev.interlock.redis.connection;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;

/** The two things that are done to connections of every kind. */
public final class Connections {

    private Connections() {}

    /** Runs the action when the connection breaks, and also when it is closed. */
    public static void onDisconnect(StatefulConnection<?, ?> connection, Runnable action) {
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
                action.run();
            }
        });
    }

    /**
     * Closes the connection, unless it is closed already. A broken one must be closed, too: Lettuce's client keeps it
     * until then, and an application's client would reconnect it, with subscriptions that nobody knows of any more.
     */
    public static void close(StatefulConnection<?, ?> connection) {
        if (connection instanceof RedisChannelHandler<?, ?> handler && !handler.isClosed()) {
            var unused = handler.closeAsync();
        }
    }
}
