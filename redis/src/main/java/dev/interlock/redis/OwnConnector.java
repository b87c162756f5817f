package dev.interlock.redis;

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
final class OwnConnector implements Connector {

    private final Lettuce client;
    private final RedisURI uri;

    OwnConnector(Lettuce client, RedisURI uri) {
        this.client = client;
        this.uri = uri;
    }

    @Override
    public CompletionStage<Opened> connect() {
        CompletionStage<StatefulRedisConnection<byte[], byte[]>> opened =
                identified(known -> client.client().connectAsync(ByteArrayCodec.INSTANCE, known));
        return (uri.isSsl() ? opened.thenCompose(OwnConnector::secured) : opened)
                .thenApply(connection -> new Opened(connection, address()));
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
    public Address address() {
        return new Address(uri.getHost(), uri.getPort());
    }

    @Override
    public OwnConnector to(Address other) {
        return new OwnConnector(client, at(other).build());
    }

    @Override
    public @Nullable RuntimeException judge(Greeting greeting) {
        if (greeting.isSentinel()) {
            return Failures.sentinel(where());
        }
        if (greeting.isCluster()) {
            return uri.getDatabase() == 0 ? null : Failures.databaseOfCluster(where());
        }
        return greeting.isReplica() ? Failures.replica(where()) : null;
    }

    /** To another server, with the same credentials, where there are no databases. */
    OwnConnector withoutDatabase(Address other) {
        return new OwnConnector(client, at(other).withDatabase(0).build());
    }

    /** To another server, without saying who we are. */
    OwnConnector withoutCredentials(Address other) {
        RedisURI theirs = at(other).withDatabase(0).build();
        theirs.setCredentialsProvider(new StaticCredentialsProvider(null, null));
        return new OwnConnector(client, theirs);
    }

    /** One of two words, depending on whether connections speak TLS. */
    String scheme(String plain, String tls) {
        return uri.isSsl() ? tls : plain;
    }

    private RedisURI.Builder at(Address other) {
        return RedisURI.builder(uri).withHost(other.host()).withPort(other.port());
    }

    @Override
    public String where() {
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
