package dev.interlock.redis.connection;

import dev.interlock.StoreUnavailableException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.ExtendedKeepAliveSupport;
import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client of the store's own for few connections: two I/O threads, no metrics or tracing, no timer for each command
 * (the engine watches the time), and no replay: commands in flight fail at once when a connection breaks.
 */
public final class DedicatedClient extends LettuceClient {

    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);

    private final RedisURI uri;
    private final @Nullable Path trust;
    private final @Nullable ClientCertificate certificate;

    /**
     * @param uri says whether connections use TLS, whatever servers they lead to
     * @param trust the certificates to trust; null for those that the JVM trusts
     * @param certificate who this client is; null if the server need not know that
     */
    public DedicatedClient(RedisURI uri, @Nullable Path trust, @Nullable ClientCertificate certificate) {
        if (certificate != null && !uri.isSsl()) {
            throw new IllegalArgumentException(
                    "A client's certificate is for TLS only; begin the URI with rediss://, or leave out cert="
                            + certificate.chain());
        }
        if (trust != null && !uri.isSsl()) {
            throw new IllegalArgumentException(
                    "Certificates are trusted with TLS only; begin the URI with rediss://, or leave out trust="
                            + trust);
        }
        this.uri = uri;
        this.trust = trust;
        this.certificate = certificate;
    }

    @Override
    RedisClient make() {
        // A timer that is passed in is started when it is used, if ever.
        HashedWheelTimer timer = new HashedWheelTimer(new DefaultThreadFactory("interlock-redis-timer", true));
        ClientResources resources = DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .timer(timer)
                .addressResolverGroup(new HostNameResolvers())
                .eventBus(new DisabledEventBus())
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .build();
        RedisClient fresh = new MinimalRedisClient(resources, uri);
        fresh.setOptions(options(uri.isSsl(), trust, certificate));
        return fresh;
    }

    @Override
    void end(RedisClient ending, Duration calm) {
        ClientResources resources = ending.getResources();
        // The resources do not stop a timer that was passed in. It ends before the loops, which end with the client:
        // the time-out of a handshake that is over would find none, and log an error.
        resources.timer().stop();
        shutDown(ending, calm);
        await(
                resources.shutdown(calm.toMillis(), SHUTDOWN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS),
                SHUTDOWN_TIMEOUT);
    }

    /** Shuts a client down with all its connections, in a bounded time, and with its loops if nobody shares them. */
    static void shutDown(RedisClient ending, Duration calm) {
        await(
                ending.shutdownAsync(calm.toMillis(), SHUTDOWN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS),
                SHUTDOWN_TIMEOUT);
    }

    @Override
    void schedule(Runnable task, Duration delay) {
        var unused = client().getResources().eventExecutorGroup().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static ClientOptions options(boolean tls, @Nullable Path trust, @Nullable ClientCertificate certificate) {
        ClientOptions.Builder options = options(keepAlive(SocketOptions.builder())
                .connectTimeout(CONNECT_TIMEOUT)
                .tcpNoDelay(true)
                .build());
        return tls ? options.sslOptions(ssl(trust, certificate)).build() : options.build();
    }

    /**
     * Nothing is sent on a connection for messages, so only the operating system can notice that its peer has vanished,
     * and it probes after two hours by default. With these times the connection breaks after half a minute.
     */
    private static SocketOptions.Builder keepAlive(SocketOptions.Builder sockets) {
        if (!hasKeepAliveTimes()) {
            return sockets.keepAlive(true);
        }
        return sockets.keepAlive(SocketOptions.KeepAliveOptions.builder()
                .enable()
                .idle(Duration.ofSeconds(15))
                .interval(Duration.ofSeconds(5))
                .count(3)
                .build());
    }

    /** Where these times cannot be changed, Lettuce or Netty would log a warning for each connection. */
    private static boolean hasKeepAliveTimes() {
        try (SocketChannel any = SocketChannel.open()) {
            return lettuceSetsKeepAliveTimes()
                    && any.supportedOptions().stream()
                            .anyMatch(option -> option.name().equals("TCP_KEEPIDLE"));
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean lettuceSetsKeepAliveTimes() {
        try {
            return ExtendedKeepAliveSupport.isSupported();
        } catch (NoClassDefFoundError e) {
            // Lettuce before 7.1 cannot be asked, and sets them wherever the JDK does.
            return true;
        }
    }

    /** The options that all clients of the store's own have. */
    static ClientOptions.Builder options(SocketOptions sockets) {
        return withoutMaintenance(ClientOptions.builder())
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .pingBeforeActivateConnection(false)
                .protocolVersion(ProtocolVersion.RESP2)
                .publishOnScheduler(false)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(sockets);
    }

    /** Lettuce 7 asks the server to announce its maintenance, with a command for each connection. */
    private static ClientOptions.Builder withoutMaintenance(ClientOptions.Builder options) {
        try {
            return options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
        } catch (LinkageError e) {
            // Lettuce 6, which does not.
            return options;
        }
    }

    /**
     * Files are read for each connection: a missing one does not keep the application from starting, and one may
     * change.
     */
    private static SslOptions ssl(@Nullable Path trust, @Nullable ClientCertificate certificate) {
        SslOptions.Builder tls = SslOptions.builder().handshakeTimeout(CONNECT_TIMEOUT);
        if (trust != null) {
            tls.trustManager(() -> Files.newInputStream(trust));
        }
        if (certificate != null) {
            tls.keyManager(() -> open("cert", certificate.chain()), () -> open("key", certificate.key()), null);
        }
        return tls.build();
    }

    private static InputStream open(String option, Path file) {
        try {
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw new StoreUnavailableException("The client's certificate cannot be read: " + option + "=" + file, e);
        }
    }
}
