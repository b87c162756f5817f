package dev.interlock.zookeeper;

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
 * <p>ZooKeeper gives them in one answer. A client that gets a longer one than its {@code jute.maxbuffer} breaks the
 * connection, and puts at risk all leases that hang on it. How long the answer will be nobody tells, only how many
 * names it has. One that might be too long is therefore read over a connection of its own, which takes as much and has
 * no leases. Used on the loop only, but for what its end brings.
 */
final class Listing {

    /**
     * What a name takes in the answer: its length, and at most 512 bytes, each of which may have to be encoded as
     * three.
     */
    static final int NAME_BYTES = 4 + 3 * 512;

    /** How many names may come between the count and the answer. */
    private static final int COMING = 100;

    /** How long it may take to connect: who lists waits longer than who locks. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Clients clients;
    private final Loop loop;

    /** Those that still read when the loop ends are told so by other threads. */
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();

    Listing(Clients clients, Loop loop) {
        this.clients = clients;
        this.loop = loop;
    }

    /** The children of a node; none if it is not there. */
    CompletableFuture<List<String>> children(Session now, String path) {
        return now.stat(path).thenCompose(stat -> {
            int names = stat.map(Stat::getNumChildren).orElse(0);
            long bytes = (long) NAME_BYTES * (names + COMING);
            return bytes <= now.longestAnswer() ? now.childrenOrNone(path) : aside(now, path, names, bytes);
        });
    }

    private CompletableFuture<List<String>> aside(Session now, String path, int names, long bytes) {
        ZKClientConfig options = new Roomy(now.options(), bytes);
        Connection connection = new Connection(
                () -> clients.another(options), true, PATIENCE, clients.settings(), loop, ended -> {}, () -> {});
        open.add(connection);
        return Answers.either(
                connection.session().thenCompose(session -> session.children(path, null)), (children, failure) -> {
                    boolean closed = !open.remove(connection);
                    if (!closed) {
                        var unused = Clients.close(ending(connection));
                    }
                    if (failure == null) {
                        return CompletableFuture.completedFuture(children);
                    }
                    boolean asItIs = closed || clients.isOwn();
                    return CompletableFuture.failedFuture(
                            asItIs ? failure : Failures.tooManyNames(path, names, bytes, now.longestAnswer(), failure));
                });
    }

    /** Ends what is under way; hands the clients over to be closed. */
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

    /**
     * The options of another client, but for the room for an answer. They are not copied: they do not tell which they
     * are.
     */
    private static final class Roomy extends ZKClientConfig {
        private final ZKClientConfig theirs;
        private final String room;

        Roomy(ZKClientConfig theirs, long bytes) {
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
