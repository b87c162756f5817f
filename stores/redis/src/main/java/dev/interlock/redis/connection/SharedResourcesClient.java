package dev.interlock.redis.connection;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client of the store's own, with the threads of the application's client for a cluster and its settings for sockets
 * and certificates.
 */
public final class SharedResourcesClient extends LettuceClient {

    private final RedisClusterClient host;
    private final RedisURI server;

    private SharedResourcesClient(RedisClusterClient host, RedisURI server) {
        this.host = host;
        this.server = server;
    }

    /**
     * Returns a connector whose connections are otherwise like the store's own: they do not announce the library's
     * name, and stop waiting for a silent server soon.
     */
    public static NodeConnector connector(
            RedisClusterClient host, RedisURI server, @Nullable Path trust, @Nullable ClientCertificate certificate) {
        SharedClientConnector.refuseTls(trust, certificate);
        if (server.getHost() == null || server.getHost().isEmpty()) {
            throw new IllegalArgumentException("The URI must name a host, a server of the cluster: " + server);
        }
        RedisURI uri = RedisURI.builder(server)
                .withTimeout(DedicatedClient.CONNECT_TIMEOUT)
                .build();
        uri.setLibraryName("");
        uri.setLibraryVersion("");
        return new NodeConnector(new SharedResourcesClient(host, uri), uri);
    }

    @Override
    RedisClient make() {
        ClientOptions theirs = host.getOptions();
        RedisClient fresh = new MinimalRedisClient(host.getResources(), server);
        fresh.setOptions(DedicatedClient.options(theirs.getSocketOptions())
                .sslOptions(theirs.getSslOptions())
                .build());
        return fresh;
    }

    @Override
    void end(RedisClient ending, Duration calm) {
        DedicatedClient.shutDown(ending, calm);
    }

    @Override
    void schedule(Runnable task, Duration delay) {
        var unused = host.getResources().eventExecutorGroup().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }
}
