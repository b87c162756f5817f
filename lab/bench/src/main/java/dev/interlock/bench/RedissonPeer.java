package dev.interlock.bench;

import java.time.Duration;
import java.util.stream.IntStream;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RSemaphore;
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
    public PeerLock lock(String name, Flavour flavour) {
        return switch (flavour) {
            case PLAIN -> lock(name);
            case FAIR -> new JavaLock(client.getFairLock(name));
            case WRITE -> new JavaLock(client.getReadWriteLock(name).writeLock());
            case READ -> new JavaLock(client.getReadWriteLock(name).readLock());
            case PERMIT -> new TheirPermit(client.getSemaphore(name));
            case MULTI ->
                new JavaLock(client.getMultiLock(IntStream.range(0, Flavour.MEMBERS)
                        .mapToObj(member -> client.getLock(name + ':' + member))
                        .toArray(RLock[]::new)));
        };
    }

    /** One permit at a time. */
    private record TheirPermit(RSemaphore semaphore) implements PeerLock {

        private TheirPermit {
            semaphore.trySetPermits(Flavour.PERMITS);
        }

        @Override
        public void lock() {
            try {
                semaphore.acquire();
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted while waiting for a permit", e);
            }
        }

        @Override
        public boolean tryLock(Duration wait) throws InterruptedException {
            return semaphore.tryAcquire(wait);
        }

        @Override
        public void unlock() {
            semaphore.release();
        }
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
