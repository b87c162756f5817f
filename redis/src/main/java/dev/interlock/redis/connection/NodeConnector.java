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

/** Connections to one server by a client of the store's own making. */
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
                identified(known -> client.client().connectAsync(ByteArrayCodec.INSTANCE, known));
        return (uri.isSsl() ? opened.thenCompose(NodeConnector::secured) : opened)
                .thenApply(connection -> new OpenedConnection(connection, address()));
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub() {
        return identified(known -> client.client().connectPubSubAsync(ByteArrayCodec.INSTANCE, known));
    }

    /**
     * Connects with credentials that are there at once. Lettuce would ask the provider of an application's URI in the
     * midst of the handshake and end that on a thread of the common pool: which may be one that waits for a lock, and
     * calls a connection open that its own thread does not know yet and refuses to use.
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

    /** To another server, with the same credentials, where there are no databases. */
    public NodeConnector withoutDatabase(Host other) {
        return new NodeConnector(client, at(other).withDatabase(0).build());
    }

    /** To another server, without saying who we are. */
    public NodeConnector withoutCredentials(Host other) {
        RedisURI theirs = at(other).withDatabase(0).build();
        theirs.setCredentialsProvider(new StaticCredentialsProvider(null, null));
        return new NodeConnector(client, theirs);
    }

    /** One of two words, depending on whether connections speak TLS. */
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
        // The client's end is that of its connections.
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
                    // Nobody else gets to know it, and the client keeps it until somebody closes it.
                    var unused = opened.closeAsync();
                }
            });
        }
        throw new IllegalStateException("The client makes connections of another kind: " + opened.getClass());
    }
}
