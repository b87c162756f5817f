package dev.interlock.testkit.server;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One server of ZooKeeper, or an ensemble of {@value ZooKeeperEnsemble#SIZE}, as the system property {@value #PROPERTY}
 * says; 1 by default. To be used by one thread at a time, apart from the strings.
 */
public final class ZooKeeperServers implements AutoCloseable {

    /** The property that chooses. */
    public static final String PROPERTY = "zookeeper.servers";

    private final @Nullable ZooKeeperEnsemble ensemble;
    private final ZooKeeperServer server;

    private ZooKeeperServers(UnaryOperator<ZooKeeperSettings> configured) {
        ensemble = isSeveral() ? ZooKeeperEnsemble.start(configured) : null;
        server = ensemble == null
                ? configured.apply(ZooKeeperServer.settings()).start()
                : ensemble.followers().get(0);
    }

    /** Starts them; returns when all of them serve. */
    public static ZooKeeperServers start() {
        return start(UnaryOperator.identity());
    }

    /**
     * The same, each of them configured so.
     *
     * @throws IllegalArgumentException if the property is neither 1 nor {@value ZooKeeperEnsemble#SIZE}
     */
    public static ZooKeeperServers start(UnaryOperator<ZooKeeperSettings> configured) {
        return new ZooKeeperServers(configured);
    }

    private static boolean isSeveral() {
        int servers = Integer.getInteger(PROPERTY, 1);
        if (servers != 1 && servers != ZooKeeperEnsemble.SIZE) {
            throw new IllegalArgumentException(PROPERTY + " must be 1 or " + ZooKeeperEnsemble.SIZE + ": " + servers);
        }
        return servers > 1;
    }

    /** Where clients come to any of them. */
    public String connectString() {
        return ensemble == null ? server.connectString() : ensemble.connectString();
    }

    /** {@code zk://} and {@link #connectString}. */
    public String uri() {
        return "zk://" + connectString();
    }

    /** The server; of several one that follows. */
    public ZooKeeperServer server() {
        return server;
    }

    /** Ends a session as if its time were over; see {@link ZooKeeperServer#expire}. */
    public void expire(long session) {
        (ensemble == null ? server : ensemble.awaitLeader()).expire(session);
    }

    @Override
    public void close() {
        if (ensemble == null) {
            server.close();
        } else {
            ensemble.close();
        }
    }
}
