package dev.interlock.zookeeper;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.RetryPolicy;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Where a store has its clients from.
 *
 * @param settings what was chosen
 * @param given the application's own client; null if the store makes one
 */
record Clients(Settings settings, @Nullable CuratorFramework given) {

    /** We send every request ourselves, and repeat it ourselves. */
    private static final RetryPolicy NEVER = (count, elapsed, sleeper) -> false;

    /** Whether the first client is ours to start and to close. */
    boolean isOwn() {
        return given == null;
    }

    /** The client on whose session the claims hang. */
    CuratorFramework first() {
        return given == null ? make(settings) : given;
    }

    /**
     * One more of the same servers, with these options, to be started and closed here. Beside the application's own
     * client it has no credentials but those in the options: Curator does not tell others.
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
                .ensembleTracker(false);
        if (!settings.credentials().isEmpty()) {
            builder.authorization(settings.credentials());
        }
        if (settings.client() != null) {
            builder.zkClientConfig(settings.client());
        }
        return builder.build();
    }

    /** Closes clients on a thread of its own: Curator waits for the servers when it closes, longer than we may. */
    static CompletableFuture<Boolean> close(List<CuratorFramework> clients) {
        if (clients.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        Thread closing = new Thread(
                () -> {
                    clients.forEach(CuratorFramework::close);
                    done.complete(true);
                },
                "interlock-zookeeper-close");
        closing.setDaemon(true);
        closing.start();
        return done;
    }
}
