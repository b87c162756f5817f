package dev.interlock.redis;

import dev.interlock.redis.command.Failures;
import dev.interlock.redis.connection.Connector;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Log;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Wake;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives wakes and passes them to the store's listener. Locks are correct without it: a wake that is lost costs its
 * waiter the rest of the time until its next poll.
 *
 * <p>The first waiting claim opens the connection for messages and subscribes the inbox of its client. With
 * {@code redissonInterop}, it also subscribes the channel on which Redisson publishes a release of that name, for as
 * long as the claim waits. When the connection breaks, nothing is resubscribed by itself and no claim is woken: each
 * waiting claim polls, at the latest after the poll cap, and thereby subscribes again.
 *
 * <p>No reply is delayed by a subscription. A claim that cannot be woken yet is not listed as waiting in the store. It
 * asks again as soon as it can be woken, or after a pause.
 */
final class WakeReceiver {

    private static final System.Logger LOG = Log.named("dev.interlock.redis");

    private final Connector connector;
    private final PubSubConnections connections;
    private final @Nullable RedissonWaiters redisson;

    /** The waiting claims whose subscriptions are under way, and which are not listed until these are confirmed. */
    private final Set<OwnerId> subscribing = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean subscribeRefused = new AtomicBoolean();
    private final AtomicBoolean publishRefused = new AtomicBoolean();
    private volatile @Nullable Consumer<Wake> listener;

    /** A receiver that opens connections with this connector, or to the masters that the router knows. */
    WakeReceiver(Connector connector, Router router, boolean redissonInterop) {
        this.connector = connector;
        this.connections = new PubSubConnections(connector, router, this::messageReceived);
        this.redisson = redissonInterop ? new RedissonWaiters(connections) : null;
    }

    /** Sets the listener of all wakes. */
    void listener(Consumer<Wake> newListener) {
        listener = newListener;
    }

    /** The end of the entry of a claim that is listed as waiting; null if the claim could not be woken now. */
    @Nullable
    String inboxIfSubscribed(Claim claim) {
        String suffix = connections.inbox(claim).suffixIfSubscribed();
        if (suffix == null || (redisson != null && !redisson.isReady(claim))) {
            return null;
        }
        if (!subscribing.isEmpty()) {
            subscribing.remove(claim.owner());
        }
        return suffix;
    }

    /** The end of the entry of a claim that is listed as waiting, although it may not be able to be woken yet. */
    String inbox(Claim claim) {
        return connections.inbox(claim).suffix();
    }

    /**
     * Subscribes the channels that the claim needs to be woken, in the background. When they are confirmed, the claim
     * is woken unless it has asked again already: it can be listed then, and a release in between is not missed.
     */
    void subscribe(Claim claim) {
        if (subscribing.add(claim.owner())) {
            try {
                // The first subscription takes long, and must not delay the thread that reads replies.
                connector.schedule(() -> subscribeNow(claim), Duration.ZERO);
            } catch (RuntimeException e) {
                // The store is being closed, and no claim is woken any more.
                subscribing.remove(claim.owner());
            }
        }
    }

    /**
     * Has the client of a claim that may be kept unused hear when another wants the name, in the background. Messages
     * that are lost until then, or while the connection is broken, are sent again by those that wait.
     */
    void listen(Claim claim) {
        if (!connections.inbox(claim).isListening()) {
            try {
                connector.schedule(() -> listenNow(claim), Duration.ZERO);
            } catch (RuntimeException e) {
                LOG.log(Level.DEBUG, "The store is being closed, and no claim is kept any more", e);
            }
        }
    }

    private void listenNow(Claim claim) {
        var unused = connections
                .slotsKnown()
                .thenCompose(known -> connections.inbox(claim).listen())
                .whenComplete((nothing, failure) -> {
                    if (failure != null) {
                        logFailure(failure);
                    }
                });
    }

    private void subscribeNow(Claim claim) {
        CompletableFuture<Boolean> inbox = connections
                .slotsKnown()
                .thenCompose(known -> connections.inbox(claim).subscribe(connections.slot(claim)))
                .handle((nothing, failure) -> {
                    if (failure != null) {
                        logFailure(failure);
                    }
                    return failure == null;
                });
        CompletableFuture<Boolean> all = redisson == null
                ? inbox
                : inbox.thenCombine(redisson.subscribe(claim), (subscribed, also) -> subscribed);
        if (redisson != null && !subscribing.contains(claim.owner())) {
            // The wait has ended meanwhile, and no other call would end this subscription.
            redisson.waitEnded(claim);
        }
        var unused = all.whenComplete((subscribed, failure) -> {
            boolean waits = subscribing.remove(claim.owner());
            // A claim that still could not be woken would come back at once, again and again.
            if (waits && failure == null && subscribed && inboxIfSubscribed(claim) != null) {
                deliver(() -> new Wake.Changed(claim.id(), claim.owner()));
            }
        });
    }

    /** Notes that the claim waits no longer. */
    void waitEnded(Claim claim) {
        if (!subscribing.isEmpty()) {
            subscribing.remove(claim.owner());
        }
        if (redisson != null) {
            redisson.waitEnded(claim);
        }
    }

    /** Notes that the server has released a lock, but has not let this user publish the wake. */
    void publishRefused() {
        if (publishRefused.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "Waiting clients are not told of a release and find out by asking: the Redis user lacks a right,"
                            + " give it with ACL SETUSER: +publish &interlock_inbox:*, and in a cluster +spublish");
        }
    }

    /** Closes all connections for messages. */
    void close() {
        connections.close();
    }

    /** Warns once of a refusal, which is permanent. Other failures, such as that of a failover, pass. */
    private void logFailure(Throwable failure) {
        if (!Failures.isRefusal(failure)) {
            LOG.log(
                    Level.DEBUG,
                    "A subscription has failed, and is tried again for the next claim that waits",
                    failure);
        } else if (!connections.isClosed() && subscribeRefused.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "This client cannot be told of a release and finds out by asking; if the Redis user lacks a right,"
                            + " give it with ACL SETUSER: +subscribe &interlock_inbox:*",
                    failure);
        }
    }

    private void messageReceived(PubSubConnection from, String channel, String message) {
        if (channel.startsWith(Keys.INBOX)) {
            wake(from, () -> WakeParser.parse(Keys.clientOf(channel), message));
        } else if (redisson != null) {
            redisson.waitedFor(channel).forEach(id -> wake(from, () -> new Wake.Changed(id, null)));
        }
    }

    private void wake(PubSubConnection from, Supplier<Wake> message) {
        deliver(() -> {
            Wake wake = message.get();
            return connections.isOf(from, wake.id().name()) ? wake : null;
        });
    }

    private void deliver(Supplier<@Nullable Wake> message) {
        Consumer<Wake> to = listener;
        if (to == null) {
            return;
        }
        try {
            Wake wake = message.get();
            if (wake != null) {
                to.accept(wake);
            }
        } catch (RuntimeException e) {
            // Any client may publish anything, and an exception must not end the thread that reads.
            LOG.log(Level.DEBUG, "A message was ignored: it is not a wake, or the listener failed", e);
        }
    }
}
