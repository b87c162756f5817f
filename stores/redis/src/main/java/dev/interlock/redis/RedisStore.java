package dev.interlock.redis;

import dev.interlock.LockStatus;
import dev.interlock.redis.command.Failures;
import dev.interlock.redis.connection.Connector;
import dev.interlock.redis.connection.SharedClientConnector;
import dev.interlock.redis.connection.SharedResourcesClient;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import dev.interlock.support.Diagnosable;
import dev.interlock.support.Finding;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store of locks on Redis 6.0 or later: one server, the master that Sentinels name, or a cluster. One command
 * acquires a lock and one releases it; the release publishes a message only if a claim waits.
 *
 * <p><b>Guarantee.</b> A claim lasts as long as the server keeps its key. A server that evicts keys or restarts without
 * its data forgets claims, and so does a replica that is promoted without the last writes. Fencing tokens increase even
 * then, since they come from the server's clock.
 *
 * <p>The keys have the layout of Redisson's, so that its clients and these exclude each other on the same name. Every
 * key has a limited life.
 *
 * <p>When a connection breaks, the requests in flight fail at once, and nothing is sent twice. The next request opens
 * another connection. Thread-safe.
 */
public final class RedisStore implements LockStore, LockCatalog, Diagnosable {

    private final Connector connector;
    private final Settings settings;
    private final Router router;
    private final WakeReceiver wakes;
    private final Renewals renewals;
    private final Catalog catalog;
    private final Diagnosis diagnosis;
    private final @Nullable ReplicatedAcquires confirmed;

    RedisStore(Connector connector, Settings settings) {
        this.connector = connector;
        this.settings = settings;
        this.router = new Router(connector);
        this.wakes = new WakeReceiver(connector, router, settings.redissonInterop());
        this.renewals = new Renewals(router, settings);
        this.catalog = new Catalog(router);
        this.diagnosis = new Diagnosis(router, settings, connector instanceof SentinelConnector);
        this.confirmed =
                settings.replicas() == 0 ? null : new ReplicatedAcquires(connector, settings, wakes, this::release);
    }

    /**
     * Creates a store with connections of its own to a server, a cluster, or the master that Sentinels watch.
     *
     * @param uri {@code redis://user:password@host:port/database}, or {@code rediss://} for TLS; only the host is
     *     required. Several nodes of a cluster are {@code redis://host:port,host:port}, Sentinels
     *     {@code redis-sentinel://host:port,host:port/group}, or {@code rediss-sentinel://}. Options follow as
     *     {@code ?redissonInterop=true&fenceLife=PT5M&trust=/etc/redis/ca.pem}; see {@link RedisStoreBuilder}
     * @throws IllegalArgumentException if the URI breaks a rule; the message names it, and has no password
     * @throws IllegalStateException if Lettuce is older than 6.4
     */
    public static RedisStore at(String uri) {
        return builder(uri).build();
    }

    /**
     * Creates a store that opens its connections with the application's client and its settings. Closing the store
     * closes these connections, but not the client.
     *
     * @throws IllegalStateException if Lettuce is older than 6.4
     */
    public static RedisStore over(RedisClient client) {
        return builder(client).build();
    }

    /**
     * Creates a store on a cluster that uses the threads of the application's client and its settings for sockets and
     * certificates. The store opens connections of its own and follows changes of the cluster by itself. Closing the
     * store closes these connections, but not the client, which must not be closed before the store.
     *
     * @param server a node of the cluster, with the credentials and the TLS setting for all nodes: Lettuce does not
     *     reveal those of the client
     * @throws IllegalArgumentException if the URI names no host
     * @throws IllegalStateException if Lettuce is older than 6.4
     */
    public static RedisStore over(RedisClusterClient client, RedisURI server) {
        return builder(client, server).build();
    }

    /** Returns a builder of a store as {@link #at(String)} creates it. */
    public static RedisStoreBuilder builder(String uri) {
        Lettuce.require();
        RedisStoreUri parsed = RedisStoreUri.parse(uri);
        return new RedisStoreBuilder(parsed::connector, parsed.settings());
    }

    /** Returns a builder of a store as {@link #over(RedisClient)} creates it. */
    public static RedisStoreBuilder builder(RedisClient client) {
        Lettuce.require();
        return new RedisStoreBuilder(
                settings -> new SharedClientConnector(client, settings.trust(), settings.certificate()),
                Settings.DEFAULTS);
    }

    /** Returns a builder of a store as {@link #over(RedisClusterClient, RedisURI)} creates it. */
    public static RedisStoreBuilder builder(RedisClusterClient client, RedisURI server) {
        Lettuce.require();
        return new RedisStoreBuilder(
                settings -> SharedResourcesClient.connector(client, server, settings.trust(), settings.certificate()),
                Settings.DEFAULTS);
    }

    /** All but revocation. */
    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.REVOCATION));
    }

    /** The server executes what one connection sends in that order. Acquires that replicas confirm have their own. */
    @Override
    public boolean keepsOrder() {
        return confirmed == null;
    }

    @Override
    public boolean isConnected() {
        return confirmed == null ? router.isConnected() : confirmed.isConnected();
    }

    @Override
    public boolean isRefusal(Throwable failure) {
        return Failures.isError(failure);
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        if (isKept(claim.id())) {
            return CompletableFuture.failedFuture(new UnsupportedOperationException(
                    "On Redis, the name of a lock must not begin with a prefix of other keys, such as interlock_fence: "
                            + claim.id()));
        }
        listenIfRetained(claim);
        try {
            return confirmed == null ? AcquireCommand.send(router, claim, settings, wakes) : confirmed.acquire(claim);
        } catch (UnsupportedOperationException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<Boolean> execute(Command command) {
        try {
            return confirmed == null ? ExecuteCommand.send(router, command, settings) : confirmed.execute(command);
        } catch (UnsupportedOperationException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The keys of locks and read/write locks are their names; other kinds have keys with a prefix. */
    private static boolean isKept(LockId id) {
        return (id.kind() == LockKind.LOCK || id.kind() == LockKind.READ_WRITE) && Keys.isReserved(id.name());
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        wakes.waitEnded(claim);
        if (confirmed != null) {
            confirmed.released(claim);
        }
        ReleaseCommand call = new ReleaseCommand(router, claim, settings, wakes);
        router.send(call);
        return call;
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        if (confirmed != null) {
            confirmed.renewed(claims);
        }
        // The connection for messages may have broken.
        claims.forEach(this::listenIfRetained);
        return renewals.renew(claims);
    }

    private void listenIfRetained(Claim claim) {
        if (claim.owner().isRetained()) {
            wakes.listen(claim);
        }
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return catalog.inspect(id);
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
        return catalog.list(prefix, limit);
    }

    @Override
    public OptionalLong readClock() {
        return OptionalLong.of(diagnosis.readClock());
    }

    @Override
    public List<Finding> diagnose() {
        return diagnosis.findings();
    }

    @Override
    public void onWake(Consumer<Wake> listener) {
        wakes.listener(listener);
    }

    @Override
    public void close() {
        wakes.close();
        if (confirmed != null) {
            confirmed.close();
        }
        router.close();
        connector.close();
    }

    /** The servers of the store, without a password. */
    @Override
    public String toString() {
        return "RedisStore[" + connector.description() + "]";
    }
}
