package dev.interlock.bench;

import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.StoreUnavailableException;
import dev.interlock.group.MultiLock;
import dev.interlock.micrometer.InterlockMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Interlock with its default settings, and possibly with metrics, or with locks that are retained or released early.
 */
final class InterlockPeer implements Peer {

    private final Interlock client;

    private InterlockPeer(InterlockBuilder builder) {
        client = builder.application("bench").build();
    }

    static InterlockPeer plain(String uri) {
        return new InterlockPeer(Interlock.builder(uri));
    }

    /** With all that an application can ask for, in the registry that most have. */
    static InterlockPeer metered(String uri) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        return new InterlockPeer(Interlock.builder(uri)
                .observer(InterlockMetrics.builder(registry).histograms().build()));
    }

    /** With plain locks that are kept until somebody asks. */
    static InterlockPeer retained(String uri) {
        return new InterlockPeer(Interlock.builder(uri)
                .lockOptions(
                        LockOptions.builder().retained(Duration.ofMinutes(1)).build()));
    }

    /** With plain locks that are released without waiting for the store. */
    static InterlockPeer early(String uri) {
        return new InterlockPeer(Interlock.builder(uri)
                .lockOptions(LockOptions.builder().releaseEarly(true).build()));
    }

    @Override
    public PeerLock lock(String name) {
        return new OurLock(new JavaLock(client.lock(name)));
    }

    @Override
    public PeerLock lock(String name, Flavour flavour) {
        return switch (flavour) {
            case PLAIN -> lock(name);
            case FAIR ->
                new JavaLock(client.lock(name, LockOptions.builder().fair(true).build()));
            case WRITE -> new JavaLock(client.readWriteLock(name).writeLock());
            case READ -> new JavaLock(client.readWriteLock(name).readLock());
            case PERMIT -> new OurPermit(client.semaphore(name, Flavour.PERMITS));
            case MULTI ->
                new JavaLock(MultiLock.of(IntStream.range(0, Flavour.MEMBERS)
                        .mapToObj(member -> client.lock(name + ':' + member))
                        .toList()));
        };
    }

    @Override
    public void close() {
        client.close();
    }

    /** One permit at a time. */
    private static final class OurPermit implements PeerLock {
        private final DistributedSemaphore semaphore;
        private @Nullable Lease lease;

        OurPermit(DistributedSemaphore semaphore) {
            this.semaphore = semaphore;
        }

        @Override
        public void lock() {
            try {
                lease = semaphore.acquire();
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted while waiting for a permit", e);
            }
        }

        @Override
        public boolean tryLock(Duration wait) throws InterruptedException {
            lease = semaphore.tryAcquire(1, wait).orElse(null);
            return lease != null;
        }

        @Override
        public void unlock() {
            Lease held = lease;
            if (held != null) {
                held.close();
            }
        }
    }

    /** A server that has not answered in time has not granted: the time that this took is counted. */
    private record OurLock(PeerLock delegate) implements PeerLock {

        @Override
        public void lock() {
            delegate.lock();
        }

        @Override
        public boolean tryLock(Duration wait) throws InterruptedException {
            try {
                return delegate.tryLock(wait);
            } catch (StoreUnavailableException e) {
                return false;
            }
        }

        @Override
        public void unlock() {
            delegate.unlock();
        }
    }
}
