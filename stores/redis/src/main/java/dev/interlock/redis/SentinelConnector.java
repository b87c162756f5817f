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
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to the master that Sentinels name. They are asked for each connection, and watched for the news of
 * a failover from the first connection on.
 */
final class SentinelConnector implements Connector {

    private final NodeConnector template;
    private final Sentinels sentinels;
    private final SentinelWatch watch;

    /** @param template has the client, credentials and database for all masters */
    SentinelConnector(NodeConnector template, Sentinels sentinels) {
        this.template = template;
        this.sentinels = sentinels;
        this.watch = new SentinelWatch(sentinels);
    }

    @Override
    public CompletionStage<OpenedConnection> connect() {
        watch.start();
        return sentinels.master().thenCompose(master -> {
            watch.connecting(master);
            return template.forNode(master).connect();
        });
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub() {
        return sentinels.master().thenCompose(master -> {
            watch.connecting(master);
            return template.forNode(master).connectPubSub();
        });
    }

    @Override
    public void schedule(Runnable task, Duration delay) {
        template.schedule(task, delay);
    }

    @Override
    public @Nullable Host address() {
        return null;
    }

    @Override
    public Connector forNode(Host other) {
        throw new IllegalStateException("A master that Sentinels name belongs to no cluster");
    }

    @Override
    public @Nullable RuntimeException rejectionOf(HelloReply greeting) {
        if (greeting.isCluster() || greeting.isSentinel()) {
            return Failures.notForSentinel(description(), greeting.mode());
        }
        return greeting.isReplica() ? Failures.masterWithoutOffice(description()) : null;
    }

    @Override
    public void onMasterSwitch(Runnable listener) {
        watch.onSwitch(listener);
    }

    @Override
    public String description() {
        return sentinels.description();
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
