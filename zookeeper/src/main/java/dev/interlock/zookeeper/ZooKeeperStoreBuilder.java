package dev.interlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.AuthInfo;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/** Builds a store. What is set is copied at {@link #build()}; the builder is not thread-safe. */
public final class ZooKeeperStoreBuilder {

    private final @Nullable CuratorFramework given;
    private Settings settings;

    ZooKeeperStoreBuilder(Settings settings, @Nullable CuratorFramework given) {
        this.settings = settings;
        this.given = given;
    }

    /**
     * The session's time-out to ask for; 15 s by default. The servers may decide for another. So long a process that
     * died is in the way of others; half of it a holder may be cut off from the servers before its leases end.
     *
     * @throws IllegalArgumentException if it is not from 100 ms to 1 hour
     * @throws IllegalStateException if the client is the application's own
     */
    public ZooKeeperStoreBuilder session(Duration timeout) {
        mustBeOwn("session");
        settings = settings.withSession(StoreUri.session(timeout, timeout.toString()));
        return this;
    }

    /**
     * The path below which the locks are, on an application's own client below its namespace. Curator's recipes on
     * {@code path/name} and these locks called {@code name} are the same.
     *
     * @throws IllegalArgumentException if it is no absolute path of ZooKeeper
     */
    public ZooKeeperStoreBuilder path(String path) {
        String within = given == null || given.getNamespace().isEmpty() ? "" : '/' + given.getNamespace();
        settings = settings.withBase(within + StoreUri.base(path));
        return this;
    }

    /**
     * Presents a user and a password to the servers, by the scheme {@code digest}. The nodes then belong to that user,
     * and everybody may read them, unless {@link #acl} says otherwise.
     *
     * @throws IllegalStateException if the client is the application's own
     */
    public ZooKeeperStoreBuilder digest(String user, String password) {
        mustBeOwn("credentials");
        List<AuthInfo> credentials = new ArrayList<>(settings.credentials());
        credentials.add(new AuthInfo("digest", (user + ':' + password).getBytes(StandardCharsets.UTF_8)));
        settings = settings.withCredentials(credentials);
        if (settings.acl() == Settings.OPEN) {
            settings = settings.withAcl(Settings.OF_CREATOR);
        }
        return this;
    }

    /** Who may do what with the nodes. Every client of a lock must be able to read, to make and to delete them. */
    public ZooKeeperStoreBuilder acl(ACLProvider provider) {
        settings = settings.withAcl(provider);
        return this;
    }

    /**
     * Options of ZooKeeper's own client: TLS, and SASL by the login of a JAAS file. They are ZooKeeper's own
     * properties, as {@code zookeeper.client.secure}.
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

    /** Builds the store, without any I/O. */
    public ZooKeeperStore build() {
        return new ZooKeeperStore(new Clients(settings, given));
    }
}
