package dev.interlock.zookeeper;

import dev.interlock.support.DaemonThreads;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.RetryPolicy;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Creates the clients of a store.
 *
 * @param settings the settings of the store
 * @param given the application's own client; null if the store creates one
 */
record ClientFactory(Settings settings, @Nullable CuratorFramework given) {

    /** The store repeats requests itself. */
    private static final RetryPolicy NEVER = (count, elapsed, sleeper) -> false;

    /** Whether the first client is the store's to start and to close. */
    boolean isOwn() {
        return given == null;
    }

    /** The client whose session the claims belong to. */
    CuratorFramework first() {
        return given == null ? make(settings) : given;
    }

    /**
     * Another client of the same servers, with these options, for the store to start and to close. Beside the
     * application's own client it has only the credentials in the options: Curator does not disclose others.
     */
    CuratorFramework another(ZKClientConfig options) {
        Settings same = given == null
                ? settings
                : settings.withServers(given.getZookeeperClient().getCurrentConnectionString());
        return make(same.withClient(options));
    }

    private static CuratorFramework make(Settings settings) {
        int session = Math.toIntExact(settings.session().toMillis());
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(settings.servers())
                .sessionTimeoutMs(session)
                .connectionTimeoutMs(session)
                .retryPolicy(NEVER)
                .aclProvider(settings.acl())
                .zookeeperFactory(new HandleFactory())
                .ensembleTracker(false);
        if (!settings.credentials().isEmpty()) {
            builder.authorization(settings.credentials());
        }
        if (settings.client() != null) {
            builder.zkClientConfig(settings.client());
        }
        return builder.build();
    }

    /**
     * Closes clients on a thread of its own: Curator waits for the servers when it closes, longer than the store may.
     */
    static CompletableFuture<Boolean> close(List<CuratorFramework> clients) {
        if (clients.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        DaemonThreads.create("interlock-zookeeper-close", () -> {
                    clients.forEach(CuratorFramework::close);
                    done.complete(true);
                })
                .start();
        return done;
    }
}
