package dev.interlock.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Connections to the master that Sentinels name: they are asked anew for each connection, and watched as long as there
 * are any.
 */
final class SentinelConnector implements Connector {

    private final OwnConnector template;
    private final Sentinels sentinels;
    private final SentinelWatch watch;

    /** @param template its client, credentials and database are those of every master */
    SentinelConnector(OwnConnector template, Sentinels sentinels) {
        this.template = template;
        this.sentinels = sentinels;
        this.watch = new SentinelWatch(sentinels);
    }

    @Override
    public CompletionStage<Opened> connect() {
        watch.start();
        return sentinels.master().thenCompose(master -> {
            watch.connecting(master);
            return template.to(master).connect();
        });
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub() {
        return sentinels.master().thenCompose(master -> {
            watch.connecting(master);
            return template.to(master).connectPubSub();
        });
    }

    @Override
    public void schedule(Runnable task, Duration delay) {
        template.schedule(task, delay);
    }

    @Override
    public @Nullable Address address() {
        return null;
    }

    @Override
    public Connector to(Address other) {
        throw new IllegalStateException("A master that Sentinels name belongs to no cluster");
    }

    @Override
    public @Nullable RuntimeException judge(Greeting greeting) {
        if (greeting.isCluster() || greeting.isSentinel()) {
            return Failures.notForSentinel(where(), greeting.mode());
        }
        return greeting.isReplica() ? Failures.masterWithoutOffice(where()) : null;
    }

    @Override
    public void onMove(Runnable listener) {
        watch.onSwitch(listener);
    }

    @Override
    public String where() {
        return sentinels.where();
    }

    @Override
    public void closeFinally(RedisChannelHandler<?, ?> connection) {
        template.closeFinally(connection);
    }

    @Override
    public void close() {
        watch.close();
        template.close();
    }
}
