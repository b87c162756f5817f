package dev.interlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.AuthInfo;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a store. Immutable, except for the objects that the application passes.
 *
 * @param servers {@code h1:2181,h2:2181}; empty for the application's own client
 * @param base the path of the locks; empty for the root
 * @param session the session time-out to ask for
 * @param credentials to present to the servers
 * @param acl the access lists of the nodes
 * @param client options of ZooKeeper's own client: TLS, SASL; null for its defaults
 * @param doubt when leases end while nobody knows whether the session lives
 * @param leaderLatch whether locks stand beside Curator's {@code LeaderLatch}, and not its {@code InterProcessMutex}
 */
record Settings(
        String servers,
        String base,
        Duration session,
        List<AuthInfo> credentials,
        ACLProvider acl,
        @Nullable ZKClientConfig client,
        Doubt doubt,
        boolean leaderLatch) {

    /** The default of the session time-out. */
    static final Duration SESSION = Duration.ofSeconds(15);

    /**
     * When leases end while nobody knows whether the session lives.
     *
     * @param percent after this part of the session time-out
     * @param atSuspended whether they end with the connection
     */
    record Doubt(int percent, boolean atSuspended) {}

    static final String PATH_RULE = "The path of a ZooKeeper store must be one that ZooKeeper can hold, from the root";

    private static final Duration SHORTEST_SESSION = Duration.ofMillis(100);
    private static final Duration LONGEST_SESSION = Duration.ofHours(1);

    /** Everybody may do everything. */
    static final ACLProvider OPEN = provider(ZooDefs.Ids.OPEN_ACL_UNSAFE);

    /**
     * The creator of a node may do everything, and everybody may read it: the clients of a lock must see each other.
     */
    static final ACLProvider OF_CREATOR = provider(List.of(
            new ACL(ZooDefs.Perms.ALL, ZooDefs.Ids.AUTH_IDS),
            new ACL(ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE)));

    /** The defaults, for these servers and this path. */
    static Settings of(String servers, String base) {
        return new Settings(servers, base, SESSION, List.of(), OPEN, null, new Doubt(50, false), false);
    }

    /** The defaults for a client of the application, in its namespace. */
    static Settings over(@Nullable String namespace) {
        return of("", namespace == null || namespace.isEmpty() ? "" : '/' + namespace);
    }

    /** A provider with the same list for every node. */
    static ACLProvider provider(List<ACL> acl) {
        return new ACLProvider() {
            @Override
            public List<ACL> getDefaultAcl() {
                return acl;
            }

            @Override
            public List<ACL> getAclForPath(String path) {
                return acl;
            }
        };
    }

    /** These settings with other servers. */
    Settings withServers(String newServers) {
        return new Settings(newServers, base, session, credentials, acl, client, doubt, leaderLatch);
    }

    /** These settings with another path, which is {@linkplain #normalized normalized}. */
    Settings withBase(String newBase) {
        return new Settings(servers, newBase, session, credentials, acl, client, doubt, leaderLatch);
    }

    /**
     * These settings with another session time-out.
     *
     * @throws IllegalArgumentException if it is not from 100 ms to 1 hour
     */
    Settings withSession(Duration newSession) {
        if (newSession.compareTo(SHORTEST_SESSION) < 0 || newSession.compareTo(LONGEST_SESSION) > 0) {
            throw new IllegalArgumentException(
                    "The session time-out must be from 100 ms to 1 hour: session=" + newSession);
        }
        return new Settings(servers, base, newSession, credentials, acl, client, doubt, leaderLatch);
    }

    /** These settings with a user and a password added, who owns the nodes unless an access list has been chosen. */
    Settings withDigest(String user, String password) {
        List<AuthInfo> more = new ArrayList<>(credentials);
        more.add(new AuthInfo("digest", (user + ':' + password).getBytes(StandardCharsets.UTF_8)));
        return new Settings(
                servers, base, session, List.copyOf(more), acl == OPEN ? OF_CREATOR : acl, client, doubt, leaderLatch);
    }

    /** These settings with other access lists. */
    Settings withAcl(ACLProvider newAcl) {
        return new Settings(servers, base, session, credentials, newAcl, client, doubt, leaderLatch);
    }

    /** These settings with another end of leases. */
    Settings withDoubt(Doubt newDoubt) {
        return new Settings(servers, base, session, credentials, acl, client, newDoubt, leaderLatch);
    }

    /** These settings with other options of ZooKeeper's own client. */
    Settings withClient(ZKClientConfig newClient) {
        return new Settings(servers, base, session, credentials, acl, newClient, doubt, leaderLatch);
    }

    /** These settings, with locks that stand beside Curator's {@code LeaderLatch}. */
    Settings withLeaderLatch() {
        return new Settings(servers, base, session, credentials, acl, client, doubt, true);
    }

    /**
     * A path without a slash at its end; empty for the root.
     *
     * @throws IllegalArgumentException if ZooKeeper cannot hold it, or it does not begin at the root
     */
    static String normalized(String path) {
        String base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        if (!base.isEmpty()) {
            try {
                PathUtils.validatePath(base);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(PATH_RULE + ": '" + path + "': " + e.getMessage(), e);
            }
        }
        return base;
    }

    /** The servers and the path, for messages. */
    String where() {
        return (servers.isEmpty() ? "the application's client" : servers) + (base.isEmpty() ? "/" : base);
    }

    /** Without the credentials. */
    @Override
    public String toString() {
        return "Settings[" + where() + "]";
    }
}
