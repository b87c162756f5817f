package dev.interlock.redis.connection;

import dev.interlock.redis.command.Failures;
import dev.interlock.support.Host;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Opens connections to one server, with a client of the store's own. */
public final class NodeConnector implements Connector {

    private final LettuceClient client;
    private final RedisURI uri;

    public NodeConnector(LettuceClient client, RedisURI uri) {
        this.client = client;
        this.uri = uri;
    }

    @Override
    public CompletionStage<OpenedConnection> connect() {
        CompletionStage<StatefulRedisConnection<byte[], byte[]>> opened =
                identified(known -> client.connect(lettuce -> lettuce.connectAsync(ByteArrayCodec.INSTANCE, known)));
        return (uri.isSsl() ? opened.thenCompose(NodeConnector::secured) : opened)
                .thenApply(connection -> new OpenedConnection(connection, address()));
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub() {
        return identified(
                known -> client.connect(lettuce -> lettuce.connectPubSubAsync(ByteArrayCodec.INSTANCE, known)));
    }

    /**
     * Connects with credentials that are resolved beforehand. Lettuce would call the provider of an application's URI
     * during the handshake, and finish that on a thread of the common pool. This thread may be one that waits for a
     * lock; and it would call a connection open before the connection's own thread knows it and lets it be used.
     */
    private <T> CompletionStage<T> identified(Function<RedisURI, CompletionStage<T>> connect) {
        RedisCredentialsProvider provider = uri.getCredentialsProvider();
        if (provider instanceof RedisCredentialsProvider.ImmediateRedisCredentialsProvider) {
            return connect.apply(uri);
        }
        return provider.resolveCredentials()
                .toFuture()
                .thenCompose(credentials -> connect.apply(RedisURI.builder(uri)
                        .withAuthentication(new StaticCredentialsProvider(credentials))
                        .build()));
    }

    @Override
    public void schedule(Runnable task, Duration delay) {
        client.schedule(task, delay);
    }

    @Override
    public Host address() {
        return new Host(uri.getHost(), uri.getPort());
    }

    @Override
    public NodeConnector forNode(Host other) {
        return new NodeConnector(client, at(other).build());
    }

    @Override
    public @Nullable RuntimeException rejectionOf(HelloReply greeting) {
        if (greeting.isSentinel()) {
            return Failures.sentinel(description());
        }
        if (greeting.isCluster()) {
            return uri.getDatabase() == 0 ? null : Failures.databaseOfCluster(description());
        }
        return greeting.isReplica() ? Failures.replica(description()) : null;
    }

    /** Returns a connector to another server with the same credentials, and database 0. */
    public NodeConnector withoutDatabase(Host other) {
        return new NodeConnector(client, at(other).withDatabase(0).build());
    }

    /** Returns a connector to another server without credentials, and with database 0. */
    public NodeConnector withoutCredentials(Host other) {
        RedisURI theirs = at(other).withDatabase(0).build();
        theirs.setCredentialsProvider(new StaticCredentialsProvider(null, null));
        return new NodeConnector(client, theirs);
    }

    /** Returns the first text, or the second if connections use TLS. */
    public String scheme(String plain, String tls) {
        return uri.isSsl() ? tls : plain;
    }

    private RedisURI.Builder at(Host other) {
        return RedisURI.builder(uri).withHost(other.name()).withPort(other.port());
    }

    @Override
    public String description() {
        return scheme("redis://", "rediss://") + address() + "/" + uri.getDatabase();
    }

    @Override
    public void closeFinally(RedisChannelHandler<?, ?> connection) {
        // Closing the client closes its connections.
    }

    @Override
    public void close() {
        client.close();
    }

    private static CompletionStage<StatefulRedisConnection<byte[], byte[]>> secured(
            StatefulRedisConnection<byte[], byte[]> opened) {
        if (opened instanceof RedisChannelHandler<?, ?> handler
                && handler.getChannelWriter() instanceof BatchingEndpoint endpoint) {
            return endpoint.secured().thenApply(nothing -> opened).whenComplete((secured, failure) -> {
                if (failure != null) {
                    // No other code knows this connection, and the client keeps it until it is closed.
                    var unused = opened.closeAsync();
                }
            });
        }
        throw new IllegalStateException("The client opens connections of another class: " + opened.getClass());
    }
}
