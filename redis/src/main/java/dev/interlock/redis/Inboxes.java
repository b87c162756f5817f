package dev.interlock.redis;

import dev.interlock.spi.Claim;
import io.lettuce.core.cluster.SlotHash;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections for messages: one, or in a cluster one for each master on which somebody waits. What is published
 * counts only those who listen at the same server: so a claim listens where its lock is. If the channel is not a
 * sharded one, the message goes to all servers, and what the other connections hear of it is passed over.
 */
final class Inboxes {

    private final Link link;
    private final Heard heard;
    private final Subscriptions home;
    private final Map<Address, Subscriptions> byMaster = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** Takes messages. */
    interface Heard {
        /** A message came, on this connection and its thread. */
        void heard(Subscriptions from, String channel, String message);
    }

    Inboxes(Connector connector, Link link, Heard heard) {
        this.link = link;
        this.heard = heard;
        this.home = new Subscriptions(connector, heard);
        connector.onMove(home::rest);
    }

    /** Done when it is known where that is. */
    CompletableFuture<?> located() {
        return link.located();
    }

    /** Where a claim hears of its lock. */
    Subscriptions of(Claim claim) {
        return of(claim.id().name());
    }

    /** The inbox that this claim's client has there. */
    Inbox inbox(Claim claim) {
        return of(claim).inbox(claim.owner().clientId());
    }

    /** The slot of the claim's lock; -1 if there is no cluster. */
    int slot(Claim claim) {
        return link.cluster() == null ? -1 : slot(claim.id().name());
    }

    /** Whether this connection is the one to hear of the lock of this name. */
    boolean isOf(Subscriptions subscriptions, String name) {
        return link.cluster() == null || of(name).equals(subscriptions);
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
        home.close();
        byMaster.values().forEach(Subscriptions::close);
    }

    private Subscriptions of(String name) {
        Connector master = link.cluster() == null ? null : link.connectorOf(slot(name));
        Address address = master == null ? null : master.address();
        if (master == null || address == null) {
            return home;
        }
        Subscriptions known = byMaster.get(address);
        if (known != null) {
            return known;
        }
        Subscriptions made = byMaster.computeIfAbsent(address, a -> new Subscriptions(master, heard));
        if (closed) {
            made.close();
        }
        return made;
    }

    private static int slot(String name) {
        return SlotHash.getSlot(new Keys(name).lock());
    }
}
