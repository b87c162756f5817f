package dev.interlock.redis.connection;

import dev.interlock.redis.command.Failures;
import dev.interlock.spi.StoreRefusal;
import dev.interlock.support.Host;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections with the application's client and its settings. Lettuce does not reveal the client's URI, and can
 * connect without it only by blocking; a short-lived thread does that.
 */
public final class SharedClientConnector implements Connector {

    private final RedisClient client;

    public SharedClientConnector(RedisClient client, @Nullable Path trust, @Nullable ClientCertificate certificate) {
        refuseTls(trust, certificate);
        this.client = client;
    }

    static void refuseTls(@Nullable Path trust, @Nullable ClientCertificate certificate) {
        if (certificate != null) {
            throw new IllegalArgumentException(
                    "The application's own client has its own certificate; set it there: cert=" + certificate.chain());
        }
        if (trust != null) {
            throw new IllegalArgumentException(
                    "The application's own client has its own trust; set it there: trust=" + trust);
        }
    }

    @Override
    public CompletionStage<OpenedConnection> connect() {
        return inThread(() -> new OpenedConnection(client.connect(ByteArrayCodec.INSTANCE), null));
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub() {
        return inThread(() -> client.connectPubSub(ByteArrayCodec.INSTANCE));
    }

    @Override
    public void schedule(Runnable task, Duration delay) {
        var unused = client.getResources().eventExecutorGroup().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public @Nullable Host address() {
        return null;
    }

    @Override
    public Connector forNode(Host other) {
        throw new StoreRefusal("A client for one server does not reach the others of its cluster; open the store with"
                + " RedisStore.at(uri)");
    }

    @Override
    public @Nullable RuntimeException rejectionOf(HelloReply greeting) {
        if (greeting.isSentinel()) {
            return Failures.sentinel(description());
        }
        if (greeting.isCluster()) {
            return Failures.clusterOfAnother(description());
        }
        return greeting.isReplica() ? Failures.replica(description()) : null;
    }

    @Override
    public String description() {
        return "the application's own client";
    }

    @Override
    public void closeFinally(RedisChannelHandler<?, ?> connection) {
        var unused = connection.closeAsync();
    }

    @Override
    public void close() {
        // The application closes its client.
    }

    private static <T> CompletionStage<T> inThread(Supplier<T> connect) {
        CompletableFuture<T> connected = new CompletableFuture<>();
        Runnable task = () -> {
            try {
                connected.complete(connect.get());
            } catch (RuntimeException e) {
                connected.completeExceptionally(e);
            }
        };
        Thread thread = new Thread(task, "interlock-redis-connect");
        thread.setDaemon(true);
        thread.start();
        return connected;
    }
}
