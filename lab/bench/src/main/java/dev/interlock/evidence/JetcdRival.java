package dev.interlock.evidence;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.lock.LockResponse;
import io.etcd.jetcd.support.CloseableClient;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The lock of etcd's server, by jetcd: each acquisition with a lease of its own, which is kept alive. */
final class JetcdRival implements Rival {

    private static final int ANSWER_SECONDS = 30;

    private final Client client;
    private final ByteSequence name;
    private final Duration lease;
    private final boolean careful;

    private JetcdRival(String uri, String name, Duration lease, boolean careful) {
        this.name = ByteSequence.from("jetcd/" + name, StandardCharsets.UTF_8);
        this.lease = lease;
        this.careful = careful;
        client = Client.builder()
                .endpoints(Arrays.stream(URI.create(uri).getAuthority().split(",", -1))
                        .map(host -> "http://" + host)
                        .toArray(String[]::new))
                .build();
    }

    /** Nobody looks at what becomes of the lease. */
    static Rival plain(String uri, String name, Duration lease) {
        return new JetcdRival(uri, name, lease, false);
    }

    /**
     * The holder takes the end of the stream that keeps the lease alive, and silence for as long as the lease, for a
     * loss; the revision of the reply is its token.
     */
    static Rival careful(String uri, String name, Duration lease) {
        return new JetcdRival(uri, name, lease, true);
    }

    @Override
    public @Nullable Held acquire(Duration wait) throws Exception {
        long id = client.getLeaseClient()
                .grant(lease.toSeconds())
                .get(ANSWER_SECONDS, TimeUnit.SECONDS)
                .getID();
        Alive alive = new Alive(lease);
        CloseableClient keeping = client.getLeaseClient().keepAlive(id, alive);
        boolean acquired = false;
        try {
            LockResponse response = client.getLockClient().lock(name, id).get(wait.toMillis(), TimeUnit.MILLISECONDS);
            acquired = true;
            return new TheirHold(response, id, alive, keeping);
        } catch (TimeoutException e) {
            return null;
        } finally {
            if (!acquired) {
                keeping.close();
                revoke(id);
            }
        }
    }

    @Override
    public void close() {
        client.close();
    }

    /** Nobody waits for it: at the latest the lease ends by itself. */
    private void revoke(long id) {
        CompletableFuture<?> unused = client.getLeaseClient().revoke(id);
    }

    private final class TheirHold implements Held {
        private final LockResponse response;
        private final long id;
        private final Alive alive;
        private final CloseableClient keeping;

        TheirHold(LockResponse response, long id, Alive alive, CloseableClient keeping) {
            this.response = response;
            this.id = id;
            this.alive = alive;
            this.keeping = keeping;
        }

        @Override
        public long token() {
            return careful ? response.getHeader().getRevision() : NO_TOKEN;
        }

        @Override
        public boolean isHeld() {
            return !careful || alive.isAlive();
        }

        @Override
        public void release() throws Exception {
            keeping.close();
            try {
                client.getLockClient().unlock(response.getKey()).get(ANSWER_SECONDS, TimeUnit.SECONDS);
            } finally {
                revoke(id);
            }
        }
    }

    /** What is known of a lease. */
    private static final class Alive implements StreamObserver<LeaseKeepAliveResponse> {
        private final Duration lease;
        private volatile long heardNanos = System.nanoTime();
        private volatile boolean ended;

        Alive(Duration lease) {
            this.lease = lease;
        }

        boolean isAlive() {
            return !ended && System.nanoTime() - heardNanos < lease.toNanos();
        }

        @Override
        public void onNext(LeaseKeepAliveResponse response) {
            heardNanos = System.nanoTime();
        }

        @Override
        public void onError(Throwable cause) {
            ended = true;
        }

        @Override
        public void onCompleted() {
            ended = true;
        }
    }
}
