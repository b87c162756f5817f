package dev.interlock.redis;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Claims on one Redis server, version 6.0 or later. One command acquires and one releases; a message is published only
 * if somebody waits.
 *
 * <p><b>What it promises, and what not.</b> A claim stands as long as the server keeps its key: a server that evicts
 * keys, that is restarted without its data, or a replica that is promoted without the last writes, forgets claims.
 * Fences still increase: they come from the server's clock.
 *
 * <p>The keys are laid out as those of Redisson, so that its clients and these exclude each other on the same name. All
 * of them have a bounded life.
 *
 * <p>A connection that breaks fails what was in flight at once; nothing is ever sent twice. The next verb connects
 * again.
 */
public final class RedisStore implements LockStore, LockCatalog {

    private final Connector connector;
    private final Settings settings;
    private final Link link;
    private final Wakes wakes;
    private final Renewals renewals;
    private final Catalog catalog;
    private final @Nullable ConfirmedAcquires confirmed;

    RedisStore(Connector connector, Settings settings) {
        this.connector = connector;
        this.settings = settings;
        this.link = new Link(connector);
        this.wakes = new Wakes(connector, link, settings);
        this.renewals = new Renewals(link, settings);
        this.catalog = new Catalog(link);
        this.confirmed =
                settings.replicas() == 0 ? null : new ConfirmedAcquires(connector, settings, wakes, this::release);
    }

    /**
     * A store with its own connections: to a server, a cluster, or the master of a group that Sentinels watch.
     *
     * @param uri {@code redis://user:password@host:port/database}, or {@code rediss://} for TLS; all but the host may
     *     be absent. Several nodes of a cluster are {@code redis://host:port,host:port}, Sentinels
     *     {@code redis-sentinel://host:port,host:port/group}, or {@code rediss-sentinel://}. Options follow as
     *     {@code ?redissonInterop=true&fenceLife=PT5M&trust=/etc/redis/ca.pem}; see {@link RedisStoreBuilder}
     * @throws IllegalArgumentException if the URI breaks a rule; the message says which, and has no password
     */
    public static RedisStore at(String uri) {
        return builder(uri).build();
    }

    /**
     * A store on the application's own client and with its settings. Closing the store closes the connections it has
     * opened, not the client.
     */
    public static RedisStore over(RedisClient client) {
        return builder(client).build();
    }

    /**
     * A store on a cluster, with the threads of the application's own client and its settings for sockets and
     * certificates. It opens connections of its own, and follows the cluster by itself. Closing the store closes these,
     * not the client, which must not be closed before the store.
     *
     * @param server a server of the cluster, with the credentials for all of them and whether they speak TLS: Lettuce
     *     keeps to itself with what the client was made
     * @throws IllegalArgumentException if the URI names no host
     */
    public static RedisStore over(RedisClusterClient client, RedisURI server) {
        return builder(client, server).build();
    }

    /** A store to be configured, as {@link #at(String)}. */
    public static RedisStoreBuilder builder(String uri) {
        StoreUri parsed = StoreUri.parse(uri);
        return new RedisStoreBuilder(parsed::connector, parsed.settings());
    }

    /** A store to be configured, as {@link #over(RedisClient)}. */
    public static RedisStoreBuilder builder(RedisClient client) {
        return new RedisStoreBuilder(settings -> new SharedConnector(client, settings), Settings.DEFAULTS);
    }

    /** A store to be configured, as {@link #over(RedisClusterClient, RedisURI)}. */
    public static RedisStoreBuilder builder(RedisClusterClient client, RedisURI server) {
        return new RedisStoreBuilder(settings -> GuestClient.connector(client, server, settings), Settings.DEFAULTS);
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        if (claim.mode() instanceof Mode.Ask) {
            return CompletableFuture.failedFuture(Mode.Ask.refusal(claim.id()));
        }
        if (isKept(claim.id())) {
            return CompletableFuture.failedFuture(new UnsupportedOperationException(
                    "On Redis, the name of a lock must not begin as the keys do that are kept beside locks, interlock_fence: and others: "
                            + claim.id()));
        }
        try {
            return confirmed == null ? AcquireCall.send(link, claim, settings, wakes) : confirmed.acquire(claim);
        } catch (UnsupportedOperationException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** A lock and a read/write lock are kept under their own names, all else apart. */
    private static boolean isKept(LockId id) {
        return (id.kind() == LockKind.LOCK || id.kind() == LockKind.READ_WRITE) && Keys.isBeside(id.name());
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        wakes.ended(claim);
        if (confirmed != null) {
            confirmed.ended(claim);
        }
        ReleaseCall call = new ReleaseCall(link, claim, settings, wakes);
        link.send(call);
        return call;
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        if (confirmed != null) {
            confirmed.renewed(claims);
        }
        return renewals.renew(claims);
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
    public void onWake(Consumer<Wake> listener) {
        wakes.listener(listener);
    }

    @Override
    public void close() {
        wakes.close();
        if (confirmed != null) {
            confirmed.close();
        }
        link.close();
        connector.close();
    }

    /** Where the store is; no password. */
    @Override
    public String toString() {
        return "RedisStore[" + connector.where() + "]";
    }
}
