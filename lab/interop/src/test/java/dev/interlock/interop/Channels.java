package dev.interlock.interop;

import io.lettuce.core.RedisClient;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Hears everything that is published on channels of a pattern. */
final class Channels implements AutoCloseable {

    private final RedisClient client;
    private final Queue<String> heard = new ConcurrentLinkedQueue<>();

    private Channels(String uri) {
        client = RedisClient.create(uri);
    }

    /** Returns when it listens. */
    static Channels listen(String uri, String pattern) {
        Channels channels = new Channels(uri);
        StatefulRedisPubSubConnection<String, String> connection = channels.client.connectPubSub();
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String from, String channel, String message) {
                channels.heard.add(channel);
            }
        });
        connection.sync().psubscribe(pattern);
        return channels;
    }

    /** How many messages came on this channel. */
    long heard(String channel) {
        return heard.stream().filter(channel::equals).count();
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
