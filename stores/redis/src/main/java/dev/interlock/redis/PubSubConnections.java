package dev.interlock.redis;

import dev.interlock.redis.connection.Connector;
import dev.interlock.spi.Claim;
import dev.interlock.support.Host;
import io.lettuce.core.cluster.SlotHash;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections that receive messages: one, or in a cluster one for each master on which a claim waits. The server
 * counts as receivers only the subscribers of its own node, so a claim subscribes at the node that has its lock. A
 * message on a channel that is not sharded goes to all nodes, and the other connections ignore it.
 */
final class PubSubConnections {

    private final Router router;
    private final PubSubConnection.Listener listener;
    private final Subscriber home;
    private final Map<Host, Subscriber> byMaster = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** A connection and the inboxes on it by client: mostly one. */
    private record Subscriber(PubSubConnection connection, Map<String, Inbox> inboxes) {
        Subscriber(Connector connector, PubSubConnection.Listener listener) {
            this(new PubSubConnection(connector, listener), new ConcurrentHashMap<>());
        }

        Inbox inbox(String clientId) {
            Inbox known = inboxes.get(clientId);
            return known != null ? known : inboxes.computeIfAbsent(clientId, client -> new Inbox(connection, client));
        }
    }

    PubSubConnections(Connector connector, Router router, PubSubConnection.Listener listener) {
        this.router = router;
        this.listener = listener;
        this.home = new Subscriber(connector, listener);
        connector.onMasterSwitch(home.connection()::disconnect);
    }

    /** Completes when the masters of all slots are known. */
    CompletableFuture<?> slotsKnown() {
        return router.slotsKnown();
    }

    /** The connection that receives the messages about the lock of this claim. */
    PubSubConnection of(Claim claim) {
        return subscriber(claim.id().name()).connection();
    }

    /** The inbox of the claim's client on that connection. */
    Inbox inbox(Claim claim) {
        return subscriber(claim.id().name()).inbox(claim.owner().clientId());
    }

    /** The slot of the claim's lock; -1 if there is no cluster. */
    int slot(Claim claim) {
        return router.cluster() == null ? -1 : slot(claim.id().name());
    }

    /** Whether this connection is the one that receives the messages about the lock of this name. */
    boolean isOf(PubSubConnection connection, String name) {
        return router.cluster() == null || subscriber(name).connection().equals(connection);
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
        home.connection().close();
        byMaster.values().forEach(subscriber -> subscriber.connection().close());
    }

    private Subscriber subscriber(String name) {
        Connector master = router.cluster() == null ? null : router.connectorOf(slot(name));
        Host address = master == null ? null : master.address();
        if (master == null || address == null) {
            return home;
        }
        Subscriber known = byMaster.get(address);
        if (known != null) {
            return known;
        }
        Subscriber made = byMaster.computeIfAbsent(address, a -> new Subscriber(master, listener));
        if (closed) {
            made.connection().close();
        }
        return made;
    }

    private static int slot(String name) {
        return SlotHash.getSlot(new Keys(name).lock());
    }
}
