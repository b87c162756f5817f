package dev.interlock.redis.connection;

import io.lettuce.core.ConnectionBuilder;
import io.lettuce.core.ConnectionEvents;
import io.lettuce.core.RedisAsyncCommandsImpl;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisReactiveCommandsImpl;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.RedisPubSubReactiveCommandsImpl;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import io.lettuce.core.resource.ClientResources;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.NullUnmarked;
import reactor.core.publisher.Mono;

/**
 * A Lettuce client whose connections write the commands of several threads together, and lack the interfaces that the
 * store does not use: to create these for a first connection takes longer than everything else.
 */
final class MinimalRedisClient extends RedisClient {

    MinimalRedisClient(ClientResources resources, RedisURI uri) {
        super(resources, uri);
    }

    /** A connection for commands over an endpoint of ours, in place of the one that Lettuce has made for it. */
    @Override
    protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(
            RedisChannelWriter writer, PushHandler pushHandler, RedisCodec<K, V> codec, Duration timeout) {
        BatchingEndpoint endpoint = new BatchingEndpoint(getOptions(), getResources());
        return new CommandConnection<>(endpoint, endpoint, codec, timeout);
    }

    /**
     * Has the channel of a connection for commands work for the endpoint of ours. Every line of Lettuce calls this with
     * the connection; only the later ones can be told what endpoint to make.
     */
    @Override
    protected void connectionBuilder(
            Mono<SocketAddress> address, ConnectionBuilder connection, ConnectionEvents events, RedisURI uri) {
        super.connectionBuilder(address, connection, events, uri);
        if (connection.connection().getChannelWriter() instanceof BatchingEndpoint endpoint) {
            connection
                    .endpoint(endpoint)
                    .commandHandler(() -> new CommandHandler(getOptions(), getResources(), endpoint));
        }
    }

    @Override
    protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
            PubSubEndpoint<K, V> endpoint, RedisChannelWriter writer, RedisCodec<K, V> codec, Duration timeout) {
        return new MessageConnection<>(endpoint, writer, codec, timeout);
    }

    /** Commands go directly to the channel writer. */
    // Lettuce only keeps what these methods return, for getters that nothing calls.
    @NullUnmarked
    private static final class CommandConnection<K, V> extends StatefulRedisConnectionImpl<K, V> {
        CommandConnection(
                RedisChannelWriter writer, PushHandler pushHandler, RedisCodec<K, V> codec, Duration timeout) {
            super(writer, pushHandler, codec, timeout);
        }

        @Override
        protected RedisAsyncCommandsImpl<K, V> newRedisAsyncCommandsImpl() {
            return null;
        }

        @Override
        protected RedisCommands<K, V> newRedisSyncCommandsImpl() {
            return null;
        }

        @Override
        protected RedisReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
            return null;
        }
    }

    /** Subscriptions go through the asynchronous interface. */
    // As above.
    @NullUnmarked
    private static final class MessageConnection<K, V> extends StatefulRedisPubSubConnectionImpl<K, V> {
        MessageConnection(
                PubSubEndpoint<K, V> endpoint, RedisChannelWriter writer, RedisCodec<K, V> codec, Duration timeout) {
            super(endpoint, writer, codec, timeout);
        }

        @Override
        protected RedisPubSubCommands<K, V> newRedisSyncCommandsImpl() {
            return null;
        }

        @Override
        protected RedisPubSubReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
            return null;
        }
    }
}
