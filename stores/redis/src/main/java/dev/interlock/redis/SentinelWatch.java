package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.redis.connection.Connections;
import dev.interlock.redis.connection.NodeConnector;
import dev.interlock.support.Host;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Subscribes at one Sentinel to the news that another server has become the master. A former master that was only
 * stopped continues as a master for some seconds; without the news, its connections would be used for that long.
 */
final class SentinelWatch {

    private static final String CHANNEL = "+switch-master";
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Sentinels sentinels;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** The masters that connections may lead to. */
    private final Set<Host> used = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicInteger turn = new AtomicInteger();
    private volatile boolean closed;

    SentinelWatch(Sentinels sentinels) {
        this.sentinels = sentinels;
    }

    void onSwitch(Runnable listener) {
        listeners.add(listener);
    }

    /** Notes that a connection to this master is being opened. */
    void connecting(Host master) {
        used.add(master);
    }

    /** Begins to watch, unless that is done already. */
    void start() {
        if (started.compareAndSet(false, true)) {
            listen();
        }
    }

    void close() {
        closed = true;
    }

    /** Subscribes at each Sentinel in turn until one accepts; and at the next when the connection breaks. */
    private void listen() {
        if (closed) {
            return;
        }
        List<Host> hosts = sentinels.hosts();
        NodeConnector next = sentinels.connector(hosts.get(Math.floorMod(turn.getAndIncrement(), hosts.size())));
        AtomicBoolean over = new AtomicBoolean();
        Runnable again = () -> {
            if (!closed && over.compareAndSet(false, true)) {
                next.schedule(this::listen, PAUSE);
            }
        };
        try {
            var unused = next.connectPubSub().whenComplete((opened, failure) -> {
                if (failure != null) {
                    again.run();
                } else {
                    listen(opened, again);
                }
            });
        } catch (RuntimeException e) {
            again.run();
        }
    }

    private void listen(StatefulRedisPubSubConnection<byte[], byte[]> opened, Runnable again) {
        opened.addListener(new Switches());
        // The client keeps a broken connection until it is closed.
        Runnable broken = () -> {
            Connections.close(opened);
            again.run();
        };
        Connections.onDisconnect(opened, broken);
        var unused = opened.async().subscribe(Bytes.of(CHANNEL)).whenComplete((nothing, failure) -> {
            if (failure != null) {
                broken.run();
            } else {
                catchUp(broken);
            }
        });
        if (opened instanceof RedisChannelHandler<?, ?> handler && !handler.isOpen()) {
            broken.run();
        }
    }

    /** Asks for the master once more: news from before the subscription would be missed otherwise. */
    private void catchUp(Runnable broken) {
        var unused = sentinels.master().whenComplete((master, failure) -> {
            if (failure != null) {
                broken.run();
            } else if (!Set.of(master).containsAll(used)) {
                switched();
            }
        });
    }

    private void switched() {
        used.clear();
        listeners.forEach(Runnable::run);
    }

    private final class Switches extends RedisPubSubAdapter<byte[], byte[]> {
        /** The message begins with the name of the master. */
        @Override
        public void message(byte[] channel, byte[] message) {
            if (new String(message, UTF_8).startsWith(sentinels.masterName() + " ")) {
                switched();
            }
        }
    }
}
