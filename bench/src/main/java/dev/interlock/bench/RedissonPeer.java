package dev.interlock.bench;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson with its default settings for one server. */
final class RedissonPeer implements Peer {

    private final RedissonClient client;

    RedissonPeer(String uri) {
        Config config = new Config();
        config.useSingleServer().setAddress(uri);
        client = Redisson.create(config);
    }

    @Override
    public PeerLock lock(String name) {
        return new JavaLock(client.getLock(name));
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
