package dev.interlock.zookeeper;

import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/** Builds a {@link ZooKeeperStore}. The settings are copied by {@link #build()}. Not thread-safe. */
public final class ZooKeeperStoreBuilder {

    private final @Nullable CuratorFramework given;
    private Settings settings;

    ZooKeeperStoreBuilder(Settings settings, @Nullable CuratorFramework given) {
        Curator.require();
        this.settings = settings;
        this.given = given;
    }

    /**
     * The session time-out to ask for; 15 s by default. The servers may grant another. A process that dies keeps its
     * locks for that long. The leases of a process that is cut off from the servers end after half of it.
     *
     * @throws IllegalArgumentException if it is not from 100 ms to 1 hour
     * @throws IllegalStateException if the client is the application's own
     */
    public ZooKeeperStoreBuilder session(Duration timeout) {
        mustBeOwn("session");
        settings = settings.withSession(timeout);
        return this;
    }

    /**
     * The path of the locks; on the application's own client a path in its namespace. The lock {@code name} is the lock
     * of Curator's recipes on {@code path/name}.
     *
     * @throws IllegalArgumentException if it is not an absolute path that ZooKeeper can hold
     */
    public ZooKeeperStoreBuilder path(String path) {
        String within = given == null || given.getNamespace().isEmpty() ? "" : '/' + given.getNamespace();
        settings = settings.withBase(within + Settings.normalized(path));
        return this;
    }

    /**
     * Has plain locks, and so elections, stand beside Curator's {@code LeaderLatch} on the same path. By default they
     * stand beside its {@code InterProcessMutex}, and so its {@code LeaderSelector}. The two recipes do not exclude
     * each other: all clients of a name need the same one, and a client that finds the other one is refused with an
     * {@link IllegalStateException}.
     */
    public ZooKeeperStoreBuilder leaderLatch() {
        settings = settings.withLeaderLatch();
        return this;
    }

    /**
     * Adds a user and a password, for the scheme {@code digest}. The nodes belong to that user, and everybody may read
     * them, unless you set {@link #acl}.
     *
     * @throws IllegalStateException if the client is the application's own
     */
    public ZooKeeperStoreBuilder digest(String user, String password) {
        mustBeOwn("credentials");
        settings = settings.withDigest(user, password);
        return this;
    }

    /**
     * The access lists of the nodes and of their parents. Every client of a lock must have the right to read, create
     * and delete them. By default they are open to all or, on the application's own client, what that gives to its
     * nodes.
     */
    public ZooKeeperStoreBuilder acl(ACLProvider provider) {
        settings = settings.withAcl(provider);
        return this;
    }

    /** When leases end while the connection is lost; {@link EndOfLeases#AT_HALF_SESSION} by default. */
    public ZooKeeperStoreBuilder endOfLeases(EndOfLeases when) {
        settings = settings.withDoubt(new Settings.Doubt(when.percent, when.atSuspended));
        return this;
    }

    /**
     * The options of ZooKeeper's own client, for TLS or for SASL by the login of a JAAS file. They are ZooKeeper's
     * properties, such as {@code zookeeper.client.secure}.
     *
     * @throws IllegalStateException if the client is the application's own
     */
    public ZooKeeperStoreBuilder clientConfig(ZKClientConfig config) {
        mustBeOwn("options of the client");
        settings = settings.withClient(config);
        return this;
    }

    private void mustBeOwn(String what) {
        if (given != null) {
            throw new IllegalStateException(
                    "On the application's own client the " + what + " must be set there, when it is built");
        }
    }

    /** Builds the store. Does no I/O: the first verb connects. */
    public ZooKeeperStore build() {
        return new ZooKeeperStore(new ClientFactory(settings, given));
    }
}
