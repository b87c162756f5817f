package dev.interlock.bench;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The lock of etcd's server, by jetcd. */
final class JetcdPeer implements Peer {

    // Nobody renews it: longer than any row takes.
    private static final long LEASE_SECONDS = 1_800;

    private final Client client;

    JetcdPeer(String uri) {
        client = Client.builder()
                .endpoints("http://" + URI.create(uri).getAuthority())
                .build();
    }

    /** With a lease of its own: two threads with one lease would have one key, and both would hold. */
    @Override
    public PeerLock lock(String name) {
        long lease = client.getLeaseClient().grant(LEASE_SECONDS).join().getID();
        return new TheirLock(client, ByteSequence.from("jetcd/" + name, StandardCharsets.UTF_8), lease);
    }

    @Override
    public void close() {
        client.close();
    }

    private static final class TheirLock implements PeerLock {
        private final Client client;
        private final ByteSequence name;
        private final long lease;
        private @Nullable ByteSequence key;

        TheirLock(Client client, ByteSequence name, long lease) {
            this.client = client;
            this.name = name;
            this.lease = lease;
        }

        @Override
        public void lock() {
            key = client.getLockClient().lock(name, lease).join().getKey();
        }

        @Override
        public boolean tryLock(Duration wait) {
            throw new UnsupportedOperationException("etcd's server has no such call");
        }

        @Override
        public void unlock() {
            client.getLockClient().unlock(key).join();
        }
    }
}
