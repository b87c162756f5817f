package dev.interlock.bench;

import dev.interlock.Interlock;
import dev.interlock.StoreUnavailableException;
import java.time.Duration;

/** Ours, with its default settings. */
final class InterlockPeer implements Peer {

    private final Interlock client;

    InterlockPeer(String uri) {
        client = Interlock.builder(uri).application("bench").build();
    }

    @Override
    public PeerLock lock(String name) {
        return new OurLock(new JavaLock(client.lock(name)));
    }

    @Override
    public void close() {
        client.close();
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
