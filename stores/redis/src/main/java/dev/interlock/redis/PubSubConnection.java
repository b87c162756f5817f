package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.redis.command.Failures;
import dev.interlock.redis.connection.Connections;
import dev.interlock.redis.connection.Connector;
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
 * The connection that receives messages from one server, opened by the first subscription, and the channels that are
 * subscribed on it. All subscriptions end when it breaks.
 *
 * <p>Nothing is sent and nothing completed under the monitor, so it comes last in every lock order.
 */
final class PubSubConnection {

    /** A subscription that has failed is not tried again for this long. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    /** The longest message, in bytes: a name has 512 at most. Any client may publish more. */
    private static final int LONGEST_MESSAGE = 1_024;

    private final Connector connector;
    private final Listener listener;
    private final Object monitor = new Object();

    /** The channels that are wanted, each with the server's confirmation. Written under the monitor. */
    private final Map<String, CompletableFuture<Void>> channels = new ConcurrentHashMap<>();

    @GuardedBy("monitor")
    private @Nullable CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> connection;

    @GuardedBy("monitor")
    private boolean closed;

    /** Receives messages. */
    interface Listener {
        /** Receives a message from this connection, in its I/O thread. */
        void messageReceived(PubSubConnection from, String channel, String message);
    }

    PubSubConnection(Connector connector, Listener listener) {
        this.connector = connector;
        this.listener = listener;
    }

    /** Whether the channel is subscribed, or about to be. */
    boolean isWanted(String channel) {
        CompletableFuture<Void> confirmed = channels.get(channel);
        return confirmed != null && !confirmed.isCompletedExceptionally();
    }

    /** Whether the server has confirmed the subscription, and the connection is open. */
    boolean isSubscribed(String channel) {
        CompletableFuture<Void> confirmed = channels.get(channel);
        return confirmed != null && confirmed.isDone() && !confirmed.isCompletedExceptionally();
    }

    /** Whether the server has confirmed the subscription, or has refused it a short time ago. */
    boolean isDecided(String channel) {
        CompletableFuture<Void> confirmed = channels.get(channel);
        return confirmed != null && confirmed.isDone();
    }

    /** Subscribes, unless that is done or under way. Callers must not complete the future. */
    CompletableFuture<Void> subscribe(String channel) {
        return subscribe(channel, RedisPubSubAsyncCommands::subscribe);
    }

    /** As {@link #subscribe(String)}, for a sharded channel. */
    CompletableFuture<Void> subscribeSharded(String channel) {
        return subscribe(channel, RedisPubSubAsyncCommands::ssubscribe);
    }

    private CompletableFuture<Void> subscribe(String channel, SubscribeCommand command) {
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
        var unused = open.thenCompose(c -> command.send(c.async(), Bytes.of(channel)))
                .whenComplete((nothing, failure) -> confirm(channel, fresh, failure));
        if (connect) {
            connect(open);
        }
        return fresh;
    }

    void unsubscribe(String channel) {
        CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> open;
        CompletableFuture<Void> confirmed;
        synchronized (monitor) {
            confirmed = channels.remove(channel);
            open = connection;
        }
        if (confirmed != null && open != null) {
            // After the confirmation: commands that wait for the connection are sent in any order, and a SUBSCRIBE
            // behind the UNSUBSCRIBE would stay.
            var unused = confirmed.whenComplete((nothing, failure) -> unsubscribe(open, channel));
        }
    }

    private void unsubscribe(CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> open, String channel) {
        // Another caller may want the channel by now.
        if (!channels.containsKey(channel)) {
            var unused = open.thenCompose(c -> c.async().unsubscribe(Bytes.of(channel)));
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

    /** Closes the connection with its subscriptions. The next subscription opens another. */
    void disconnect() {
        CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> ended;
        List<CompletableFuture<Void>> undecided;
        synchronized (monitor) {
            ended = connection;
            connection = null;
            undecided = channels.values().stream().filter(c -> !c.isDone()).toList();
            // Undecided ones, too: one that is confirmed before the connection is closed would seem subscribed for
            // ever.
            channels.values().removeIf(c -> !c.isCompletedExceptionally());
        }
        undecided.forEach(c -> c.completeExceptionally(Failures.disconnected()));
        if (ended != null) {
            var unused = ended.thenAccept(Connections::close);
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
                    forget(opening);
                    opening.completeExceptionally(Failures.connecting(failure, connector.description()));
                } else {
                    opened(opening, opened);
                }
            });
        } catch (RuntimeException e) {
            forget(opening);
            opening.completeExceptionally(e);
        }
    }

    private void opened(
            CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> opening,
            StatefulRedisPubSubConnection<byte[], byte[]> opened) {
        opened.addListener(new Messages());
        Connections.onDisconnect(opened, () -> {
            forget(opening);
            Connections.close(opened);
        });
        opening.complete(opened);
        if (isClosed() || !opened.isOpen()) {
            forget(opening);
            Connections.close(opened);
        }
    }

    private void forget(CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> broken) {
        synchronized (monitor) {
            if (connection == broken) {
                connection = null;
                channels.values().removeIf(c -> c.isDone() && !c.isCompletedExceptionally());
            }
        }
    }

    /** {@code SUBSCRIBE} or {@code SSUBSCRIBE}. */
    private interface SubscribeCommand {
        CompletionStage<Void> send(RedisPubSubAsyncCommands<byte[], byte[]> commands, byte[] channel);
    }

    private final class Messages extends RedisPubSubAdapter<byte[], byte[]> {
        @Override
        public void message(byte[] channel, byte[] message) {
            received(new String(channel, UTF_8), message);
        }

        @Override
        public void smessage(byte[] channel, byte[] message) {
            received(Keys.withoutNumber(new String(channel, UTF_8)), message);
        }

        /**
         * If the channel was wanted again before the server ended the subscription, it is not subscribed now: the next
         * claim that waits subscribes it anew.
         */
        @Override
        public void unsubscribed(byte[] channel, long count) {
            synchronized (monitor) {
                channels.remove(new String(channel, UTF_8));
            }
        }

        /** Comes unrequested when the channel's slot moves to another server. */
        @Override
        public void sunsubscribed(byte[] channel, long count) {
            unsubscribed(channel, count);
        }

        private void received(String channel, byte[] message) {
            if (message.length <= LONGEST_MESSAGE) {
                listener.messageReceived(PubSubConnection.this, channel, new String(message, UTF_8));
            }
        }
    }
}
