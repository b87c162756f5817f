package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The one connection for messages of a server, opened by the first subscription, and the channels subscribed on it.
 * When it breaks, all of them are over.
 */
final class Subscriptions {

    /** After a failure, for how long the same is not tried again. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Connector connector;
    private final Inboxes.Heard heard;
    private final Object monitor = new Object();

    /** What was asked for, each with its confirmation. Written under the monitor. */
    private final Map<String, CompletableFuture<Void>> channels = new ConcurrentHashMap<>();

    /** By client. Mostly one. */
    private final Map<String, Inbox> inboxes = new ConcurrentHashMap<>();

    // Guarded by the monitor, under which nothing is sent and nothing completed.
    private @Nullable CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> connection;
    private boolean closed;

    Subscriptions(Connector connector, Inboxes.Heard heard) {
        this.connector = connector;
        this.heard = heard;
    }

    /** The inbox of this client. */
    Inbox inbox(String clientId) {
        Inbox known = inboxes.get(clientId);
        return known != null ? known : inboxes.computeIfAbsent(clientId, client -> new Inbox(this, client));
    }

    /** Whether it is subscribed, or about to be. */
    boolean isWanted(String channel) {
        CompletableFuture<Void> confirmed = channels.get(channel);
        return confirmed != null && !confirmed.isCompletedExceptionally();
    }

    /** Whether the server has confirmed it, and the connection stands. */
    boolean isUp(String channel) {
        CompletableFuture<Void> confirmed = channels.get(channel);
        return confirmed != null && confirmed.isDone() && !confirmed.isCompletedExceptionally();
    }

    /** Whether the server has said yes or no to it, the latter not long ago. */
    boolean isDecided(String channel) {
        CompletableFuture<Void> confirmed = channels.get(channel);
        return confirmed != null && confirmed.isDone();
    }

    /** Subscribes, unless it is done already or on its way. The stage must not be completed by others. */
    CompletableFuture<Void> open(String channel) {
        return open(channel, RedisPubSubAsyncCommands::subscribe);
    }

    /** The same for a sharded channel. */
    CompletableFuture<Void> openSharded(String channel) {
        return open(channel, RedisPubSubAsyncCommands::ssubscribe);
    }

    private CompletableFuture<Void> open(String channel, Subscribe subscribe) {
        CompletableFuture<Void> fresh = new CompletableFuture<>();
        CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> open;
        boolean connect = false;
        synchronized (monitor) {
            if (closed) {
                return CompletableFuture.failedFuture(Failures.closed());
            }
            CompletableFuture<Void> known = channels.putIfAbsent(channel, fresh);
            if (known != null) {
                return known;
            }
            open = connection;
            if (open == null) {
                open = new CompletableFuture<>();
                connection = open;
                connect = true;
            }
        }
        var unused = open.thenCompose(c -> subscribe.on(c.async(), Text.of(channel)))
                .whenComplete((nothing, failure) -> confirm(channel, fresh, failure));
        if (connect) {
            connect(open);
        }
        return fresh;
    }

    /** Unsubscribes. */
    void close(String channel) {
        CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> open;
        CompletableFuture<Void> confirmed;
        synchronized (monitor) {
            confirmed = channels.remove(channel);
            open = connection;
        }
        if (confirmed != null && open != null) {
            // Behind the answer: what waits for the connection goes out on it in any order, and a subscription that
            // comes last stays.
            var unused = confirmed.whenComplete((nothing, failure) -> unsubscribe(open, channel));
        }
    }

    private void unsubscribe(CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> open, String channel) {
        // Unless somebody wants it again by now.
        if (!channels.containsKey(channel)) {
            var unused = open.thenCompose(c -> c.async().unsubscribe(Text.of(channel)));
        }
    }

    boolean isClosed() {
        synchronized (monitor) {
            return closed;
        }
    }

    void close() {
        CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> ended;
        synchronized (monitor) {
            closed = true;
            ended = connection;
            connection = null;
            channels.clear();
        }
        if (ended != null) {
            var unused = ended.thenAccept(c -> connector.closeFinally((RedisChannelHandler<?, ?>) c));
        }
    }

    /** Gives up the connection with its subscriptions; who needs one opens it again. */
    void rest() {
        CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> ended;
        List<CompletableFuture<Void>> undecided;
        synchronized (monitor) {
            ended = connection;
            connection = null;
            undecided = channels.values().stream().filter(c -> !c.isDone()).toList();
            // With those undecided: one that is confirmed before the connection is closed would seem to stand for ever.
            channels.values().removeIf(c -> !c.isCompletedExceptionally());
        }
        undecided.forEach(c -> c.completeExceptionally(Failures.disconnected()));
        if (ended != null) {
            var unused = ended.thenAccept(Subscriptions::close);
        }
    }

    private void confirm(String channel, CompletableFuture<Void> confirmed, @Nullable Throwable failure) {
        if (failure == null) {
            confirmed.complete(null);
        } else {
            connector.schedule(() -> channels.remove(channel, confirmed), PAUSE);
            confirmed.completeExceptionally(failure);
        }
    }

    private void connect(CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> opening) {
        try {
            var unused = connector.connectPubSub().whenComplete((opened, failure) -> {
                if (failure != null) {
                    drop(opening);
                    opening.completeExceptionally(Failures.connecting(failure, connector.where()));
                } else {
                    opened(opening, opened);
                }
            });
        } catch (RuntimeException e) {
            drop(opening);
            opening.completeExceptionally(e);
        }
    }

    private void opened(
            CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> opening,
            StatefulRedisPubSubConnection<byte[], byte[]> opened) {
        opened.addListener(new Messages());
        opened.addListener(new NodeLink.Breaks(() -> {
            drop(opening);
            close(opened);
        }));
        opening.complete(opened);
        if (isClosed() || !opened.isOpen()) {
            drop(opening);
            close(opened);
        }
    }

    /**
     * The application's client would bring a broken one back to life, with subscriptions that nobody knows of any more.
     */
    static void close(StatefulRedisPubSubConnection<byte[], byte[]> ended) {
        if (ended instanceof RedisChannelHandler<?, ?> handler && !handler.isClosed()) {
            var unused = ended.closeAsync();
        }
    }

    private void drop(CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> broken) {
        synchronized (monitor) {
            if (connection == broken) {
                connection = null;
                channels.values().removeIf(c -> c.isDone() && !c.isCompletedExceptionally());
            }
        }
    }

    /** How a channel is subscribed. */
    private interface Subscribe {
        CompletionStage<Void> on(RedisPubSubAsyncCommands<byte[], byte[]> commands, byte[] channel);
    }

    private final class Messages extends RedisPubSubAdapter<byte[], byte[]> {
        @Override
        public void message(byte[] channel, byte[] message) {
            heard.heard(Subscriptions.this, new String(channel, UTF_8), new String(message, UTF_8));
        }

        @Override
        public void smessage(byte[] channel, byte[] message) {
            heard.heard(Subscriptions.this, Keys.withoutNumber(new String(channel, UTF_8)), new String(message, UTF_8));
        }

        /**
         * If the channel was wanted again before the server took leave of it, it is open no longer: the next claim that
         * waits opens it anew.
         */
        @Override
        public void unsubscribed(byte[] channel, long count) {
            synchronized (monitor) {
                channels.remove(new String(channel, UTF_8));
            }
        }

        /** The server says so by itself when the channel's slot moves away from it. */
        @Override
        public void sunsubscribed(byte[] channel, long count) {
            unsubscribed(channel, count);
        }
    }
}
