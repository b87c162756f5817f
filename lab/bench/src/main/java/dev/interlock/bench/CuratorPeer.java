package dev.interlock.bench;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.jspecify.annotations.Nullable;

/** Curator's recipes, with one object for each name, as its documentation recommends. */
final class CuratorPeer implements Peer {

    private static final int SESSION_MILLIS = 30_000;
    private static final int CONNECT_MILLIS = 15_000;

    private final CuratorFramework client;
    private final Map<String, InterProcessLock> mutexes = new ConcurrentHashMap<>();
    private final Map<String, InterProcessReadWriteLock> pairs = new ConcurrentHashMap<>();
    private final Map<String, InterProcessSemaphoreV2> semaphores = new ConcurrentHashMap<>();

    CuratorPeer(String uri) {
        client = CuratorFrameworkFactory.newClient(
                URI.create(uri).getAuthority(), SESSION_MILLIS, CONNECT_MILLIS, new ExponentialBackoffRetry(100, 5));
        client.start();
    }

    @Override
    public PeerLock lock(String name) {
        return new TheirLock(mutexes.computeIfAbsent(path(name), path -> new InterProcessMutex(client, path)));
    }

    @Override
    public PeerLock lock(String name, Flavour flavour) {
        return switch (flavour) {
            // The order of arrival is the only one they have.
            case PLAIN, FAIR -> lock(name);
            case WRITE -> new TheirLock(pair(name).writeLock());
            case READ -> new TheirLock(pair(name).readLock());
            case PERMIT ->
                new TheirPermit(semaphores.computeIfAbsent(
                        path(name), path -> new InterProcessSemaphoreV2(client, path, Flavour.PERMITS)));
            case MULTI -> throw new UnsupportedOperationException("Curator's lock of several is measured nowhere");
        };
    }

    @Override
    public void close() {
        client.close();
    }

    private InterProcessReadWriteLock pair(String name) {
        return pairs.computeIfAbsent(path(name), path -> new InterProcessReadWriteLock(client, path));
    }

    private static String path(String name) {
        return "/curator/" + name;
    }

    /** Everything of Curator may throw everything. */
    private static <T> T call(Callable<T> step) {
        try {
            return step.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A lock that belongs to the thread. */
    private record TheirLock(InterProcessLock delegate) implements PeerLock {

        @Override
        public void lock() {
            call(() -> {
                delegate.acquire();
                return true;
            });
        }

        @Override
        public boolean tryLock(Duration wait) {
            return call(() -> delegate.acquire(wait.toNanos(), TimeUnit.NANOSECONDS));
        }

        @Override
        public void unlock() {
            call(() -> {
                delegate.release();
                return true;
            });
        }
    }

    /** One permit at a time. */
    private static final class TheirPermit implements PeerLock {
        private final InterProcessSemaphoreV2 semaphore;
        private @Nullable Lease lease;

        TheirPermit(InterProcessSemaphoreV2 semaphore) {
            this.semaphore = semaphore;
        }

        @Override
        public void lock() {
            lease = call(semaphore::acquire);
        }

        @Override
        public boolean tryLock(Duration wait) {
            lease = acquire(wait);
            return lease != null;
        }

        @Override
        public void unlock() {
            semaphore.returnLease(lease);
        }

        private @Nullable Lease acquire(Duration wait) {
            try {
                return semaphore.acquire(wait.toNanos(), TimeUnit.NANOSECONDS);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
