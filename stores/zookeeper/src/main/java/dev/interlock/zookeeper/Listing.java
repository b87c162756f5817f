package dev.interlock.zookeeper;

import dev.interlock.support.EventLoop;
import dev.interlock.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.Stat;

/**
 * Reads the names of all locks, however many there are.
 *
 * <p>ZooKeeper sends them in one answer. A client that receives an answer longer than its {@code jute.maxbuffer} breaks
 * the connection, and puts all leases of its session at risk. The length of the answer cannot be known in advance, only
 * the number of names. An answer that might be too long is therefore read over a connection of its own, which accepts
 * the length and has no leases.
 *
 * <p>Guarded by the event loop, except for {@link #open}.
 */
final class Listing {

    /** The bytes of a name in the answer: its length, and at most 512 bytes, each of which may be encoded as three. */
    static final int NAME_BYTES = 4 + 3 * 512;

    /** How many names may be created between the count and the answer. */
    private static final int COMING = 100;

    /** How long the other connection may take: a listing may wait longer than a lock. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ClientFactory clients;
    private final EventLoop loop;

    /** Other threads fail the connections that still read when the loop ends. */
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();

    /** A listing for a store with these clients. */
    Listing(ClientFactory clients, EventLoop loop) {
        this.clients = clients;
        this.loop = loop;
    }

    /** The children of a node; none if it does not exist. */
    CompletableFuture<List<String>> children(Session now, String path) {
        return now.stat(path).thenCompose(stat -> {
            int names = stat.map(Stat::getNumChildren).orElse(0);
            long bytes = (long) NAME_BYTES * (names + COMING);
            return bytes <= now.longestAnswer() ? now.childrenOrNone(path) : overOwnConnection(now, path, names, bytes);
        });
    }

    private CompletableFuture<List<String>> overOwnConnection(Session now, String path, int names, long bytes) {
        ZKClientConfig options = new LargerBuffer(now.options(), bytes);
        Connection connection = new Connection(
                () -> clients.another(options),
                true,
                PATIENCE,
                clients.settings(),
                loop,
                ended -> {},
                suspended -> {},
                () -> {});
        open.add(connection);
        return Futures.either(
                connection.session().thenCompose(session -> session.children(path, null)), (children, failure) -> {
                    boolean closed = !open.remove(connection);
                    if (!closed) {
                        var unused = ClientFactory.close(ending(connection));
                    }
                    if (failure == null) {
                        return CompletableFuture.completedFuture(children);
                    }
                    boolean asItIs = closed || clients.isOwn();
                    return CompletableFuture.failedFuture(
                            asItIs ? failure : Failures.tooManyNames(path, names, bytes, now.longestAnswer(), failure));
                });
    }

    /** Ends the listings that are under way. Returns their clients, to be closed. */
    List<CuratorFramework> close() {
        List<CuratorFramework> closing = new ArrayList<>();
        for (Connection connection : List.copyOf(open)) {
            if (open.remove(connection)) {
                closing.addAll(ending(connection));
            }
        }
        return closing;
    }

    private static List<CuratorFramework> ending(Connection connection) {
        CuratorFramework client = connection.close();
        return client == null ? List.of() : List.of(client);
    }

    /** The options of another client, with a larger buffer. They cannot be copied, as they cannot be enumerated. */
    private static final class LargerBuffer extends ZKClientConfig {
        private final ZKClientConfig theirs;
        private final String room;

        LargerBuffer(ZKClientConfig theirs, long bytes) {
            this.theirs = theirs;
            this.room = Long.toString(Math.min(bytes, Integer.MAX_VALUE));
        }

        @Override
        public String getProperty(String key) {
            return key.equals(ZKConfig.JUTE_MAXBUFFER) ? room : theirs.getProperty(key);
        }

        @Override
        public String getProperty(String key, String otherwise) {
            return key.equals(ZKConfig.JUTE_MAXBUFFER) ? room : theirs.getProperty(key, otherwise);
        }

        @Override
        public String getJaasConfKey() {
            return theirs.getJaasConfKey();
        }
    }
}
