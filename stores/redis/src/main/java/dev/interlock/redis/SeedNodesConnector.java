package dev.interlock.redis;

import dev.interlock.redis.command.Failures;
import dev.interlock.redis.connection.Connector;
import dev.interlock.redis.connection.HelloReply;
import dev.interlock.redis.connection.NodeConnector;
import dev.interlock.redis.connection.OpenedConnection;
import dev.interlock.support.Host;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Opens connections to the first of several nodes of a cluster that can be reached. That one reports the others. */
final class SeedNodesConnector implements Connector {

    private final List<NodeConnector> seeds;
    private volatile int current;

    SeedNodesConnector(List<NodeConnector> seeds) {
        this.seeds = seeds;
    }

    @Override
    public CompletionStage<OpenedConnection> connect() {
        return attempt(NodeConnector::connect, 1);
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub() {
        return attempt(NodeConnector::connectPubSub, 1);
    }

    @Override
    public void schedule(Runnable task, Duration delay) {
        seed().schedule(task, delay);
    }

    @Override
    public Host address() {
        return seed().address();
    }

    @Override
    public boolean isFixed() {
        return false;
    }

    @Override
    public Connector forNode(Host other) {
        return seed().forNode(other);
    }

    /**
     * Skips a server once, however many connections report it: several share this connector, and would skip all nodes.
     */
    @Override
    public synchronized boolean skip(@Nullable Host used) {
        if (address().equals(used)) {
            current = (current + 1) % seeds.size();
        }
        return true;
    }

    /** Several servers must be a cluster: only that defines which of them has a lock. */
    @Override
    public @Nullable RuntimeException rejectionOf(HelloReply greeting) {
        return greeting.isCluster() ? null : Failures.noCluster(description());
    }

    @Override
    public String description() {
        StringBuilder all = new StringBuilder(seed().scheme("redis://", "rediss://"));
        seeds.forEach(seed -> all.append(seed.address()).append(','));
        all.setLength(all.length() - 1);
        return all.toString();
    }

    @Override
    public void closeFinally(RedisChannelHandler<?, ?> connection) {
        seed().closeFinally(connection);
    }

    @Override
    public void close() {
        // The seed nodes share their client.
        seed().close();
    }

    private NodeConnector seed() {
        return seeds.get(current);
    }

    private <T> CompletionStage<T> attempt(Function<NodeConnector, CompletionStage<T>> connect, int number) {
        int asked = current;
        return connect.apply(seeds.get(asked))
                .handle((opened, failure) -> {
                    if (failure == null || number == seeds.size()) {
                        return failure == null
                                ? CompletableFuture.completedFuture(opened)
                                : CompletableFuture.<T>failedFuture(failure);
                    }
                    current = (asked + 1) % seeds.size();
                    return attempt(connect, number + 1);
                })
                .thenCompose(stage -> stage);
    }
}
