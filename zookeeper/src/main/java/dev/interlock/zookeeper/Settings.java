package dev.interlock.zookeeper;

import java.time.Duration;
import java.util.List;
import org.apache.curator.framework.AuthInfo;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * What a store is to be. Immutable, but for what the application gives.
 *
 * @param servers {@code h1:2181,h2:2181}; empty for the application's own client
 * @param base the path below which the locks are; empty for the root
 * @param session the time-out to ask for
 * @param credentials to present to the servers
 * @param acl who may do what with the nodes
 * @param client options of ZooKeeper's own client: TLS, SASL; null for its defaults
 */
record Settings(
        String servers,
        String base,
        Duration session,
        List<AuthInfo> credentials,
        ACLProvider acl,
        @Nullable ZKClientConfig client) {

    static final Duration SESSION = Duration.ofSeconds(15);

    static final ACLProvider OPEN = provider(ZooDefs.Ids.OPEN_ACL_UNSAFE);

    /** All for whoever made a node, and for everybody to read it: the clients of a lock must see each other. */
    static final ACLProvider OF_CREATOR = provider(List.of(
            new ACL(ZooDefs.Perms.ALL, ZooDefs.Ids.AUTH_IDS),
            new ACL(ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE)));

    static Settings of(String servers, String base) {
        return new Settings(servers, base, SESSION, List.of(), OPEN, null);
    }

    /** On a client that is there, in its namespace. */
    static Settings over(@Nullable String namespace) {
        return of("", namespace == null || namespace.isEmpty() ? "" : '/' + namespace);
    }

    /** The same list for every node. */
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

    Settings withServers(String newServers) {
        return new Settings(newServers, base, session, credentials, acl, client);
    }

    Settings withBase(String newBase) {
        return new Settings(servers, newBase, session, credentials, acl, client);
    }

    Settings withSession(Duration newSession) {
        return new Settings(servers, base, newSession, credentials, acl, client);
    }

    Settings withCredentials(List<AuthInfo> newCredentials) {
        return new Settings(servers, base, session, List.copyOf(newCredentials), acl, client);
    }

    Settings withAcl(ACLProvider newAcl) {
        return new Settings(servers, base, session, credentials, newAcl, client);
    }

    Settings withClient(ZKClientConfig newClient) {
        return new Settings(servers, base, session, credentials, acl, newClient);
    }

    /** For messages. */
    String where() {
        return (servers.isEmpty() ? "the application's client" : servers) + (base.isEmpty() ? "/" : base);
    }

    /** Without the credentials. */
    @Override
    public String toString() {
        return "Settings[" + where() + "]";
    }
}
