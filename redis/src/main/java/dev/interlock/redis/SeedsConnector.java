package dev.interlock.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Connections to whichever of several servers of a cluster can be reached; from there the others are found. */
final class SeedsConnector implements Connector {

    private final List<OwnConnector> seeds;
    private volatile int current;

    SeedsConnector(List<OwnConnector> seeds) {
        this.seeds = seeds;
    }

    @Override
    public CompletionStage<Opened> connect() {
        return attempt(OwnConnector::connect, 1);
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub() {
        return attempt(OwnConnector::connectPubSub, 1);
    }

    @Override
    public void schedule(Runnable task, Duration delay) {
        seed().schedule(task, delay);
    }

    @Override
    public Address address() {
        return seed().address();
    }

    @Override
    public boolean isFixed() {
        return false;
    }

    @Override
    public Connector to(Address other) {
        return seed().to(other);
    }

    /**
     * Once for each server that is passed over, however many say so: those who share this one would move it past all of
     * them.
     */
    @Override
    public synchronized boolean passOver(@Nullable Address used) {
        if (address().equals(used)) {
            current = (current + 1) % seeds.size();
        }
        return true;
    }

    /** Of several servers that belong together only a cluster says who holds which locks. */
    @Override
    public @Nullable RuntimeException judge(Greeting greeting) {
        return greeting.isCluster() ? null : Failures.noCluster(where());
    }

    @Override
    public String where() {
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
        // They share their client.
        seed().close();
    }

    private OwnConnector seed() {
        return seeds.get(current);
    }

    private <T> CompletionStage<T> attempt(Function<OwnConnector, CompletionStage<T>> connect, int number) {
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
