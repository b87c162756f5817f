package dev.interlock.redis;

import dev.interlock.spi.Claim;
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
 * Hears wakes and passes them on. Nothing here is needed for a lock to be right: a wake that is not heard costs its
 * waiter the rest of its pause between two polls.
 *
 * <p>The first waiting claim opens the one connection for messages and subscribes its client's inbox; with
 * interoperation on, also the channel on which Redisson announces a release of that name, for as long as the claim
 * waits. When the connection breaks nothing is brought back by itself and nobody is woken: every claim that waits asks
 * again when its pause is over, at the latest after the poll cap, and thereby opens it anew.
 *
 * <p>No answer is held back for it: a claim that cannot be woken yet is not listed, and asks again by itself or as soon
 * as it can.
 */
final class Wakes {

    private static final System.Logger LOG = System.getLogger("dev.interlock.redis");

    private final Connector connector;
    private final Inboxes inboxes;
    private final @Nullable RedissonWaits redisson;

    /** The claims that wait, and are not listed as long as what they need to be woken is being subscribed. */
    private final Set<OwnerId> unheard = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean subscribeRefused = new AtomicBoolean();
    private final AtomicBoolean publishRefused = new AtomicBoolean();
    private volatile @Nullable Consumer<Wake> listener;

    Wakes(Connector connector, Link link, Settings settings) {
        this.connector = connector;
        this.inboxes = new Inboxes(connector, link, this::heard);
        this.redisson = settings.redissonInterop() ? new RedissonWaits(inboxes) : null;
    }

    void listener(Consumer<Wake> newListener) {
        listener = newListener;
    }

    /** How the entry of a claim ends that is listed; null if the claim would not hear of its wake now. */
    @Nullable
    String inboxIfHeard(Claim claim) {
        String word = inboxes.inbox(claim).wordIfUp();
        if (word == null || (redisson != null && !redisson.isReady(claim))) {
            return null;
        }
        if (!unheard.isEmpty()) {
            unheard.remove(claim.owner());
        }
        return word;
    }

    /** How the entry of a claim ends that is listed although it may not hear of its wake yet. */
    String inbox(Claim claim) {
        return inboxes.inbox(claim).word();
    }

    /**
     * Subscribes what the claim needs to be woken, in the background. When that stands the claim is woken, unless it
     * has asked again already: it can be listed then, and a release in between is not missed.
     */
    void prepare(Claim claim) {
        if (unheard.add(claim.owner())) {
            try {
                // The first time that takes long, and on the thread that reads all would wait for it.
                connector.schedule(() -> subscribe(claim), Duration.ZERO);
            } catch (RuntimeException e) {
                // The store is being closed, and nobody is woken any more.
                unheard.remove(claim.owner());
            }
        }
    }

    private void subscribe(Claim claim) {
        CompletableFuture<Boolean> inbox = inboxes.located()
                .thenCompose(known -> inboxes.inbox(claim).open(inboxes.slot(claim)))
                .handle((nothing, failure) -> {
                    if (failure != null) {
                        name(failure);
                    }
                    return failure == null;
                });
        CompletableFuture<Boolean> all =
                redisson == null ? inbox : inbox.thenCombine(redisson.prepare(claim), (up, also) -> up);
        if (redisson != null && !unheard.contains(claim.owner())) {
            // It has ended meanwhile, and nobody would say so again.
            redisson.ended(claim);
        }
        var unused = all.whenComplete((up, failure) -> {
            boolean asks = unheard.remove(claim.owner());
            // Whoever is told so and still not heard would come back at once, and again.
            if (asks && failure == null && up && inboxIfHeard(claim) != null) {
                tell(() -> new Wake(claim.id(), claim.owner()));
            }
        });
    }

    /** The claim no longer waits. */
    void ended(Claim claim) {
        if (!unheard.isEmpty()) {
            unheard.remove(claim.owner());
        }
        if (redisson != null) {
            redisson.ended(claim);
        }
    }

    /** The server has released a lock but may not publish for this user. */
    void publishRefused() {
        if (publishRefused.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "Waiting clients are not told of a release and find out by asking: the Redis user lacks a right, give it"
                            + " with ACL SETUSER: +publish &interlock_inbox:*, and in a cluster +spublish");
        }
    }

    void close() {
        inboxes.close();
    }

    /**
     * A failover, for example, interrupts a subscription and is over: only what the server refuses stays so, and is
     * named once.
     */
    private void name(Throwable failure) {
        if (!Failures.isRefusal(failure)) {
            LOG.log(
                    Level.DEBUG,
                    "A subscription has failed, and is tried again for the next claim that waits",
                    failure);
        } else if (!inboxes.isClosed() && subscribeRefused.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "This client cannot be told of a release and finds out by asking; if the Redis user lacks a right, give it"
                            + " with ACL SETUSER: +subscribe &interlock_inbox:*",
                    failure);
        }
    }

    private void heard(Subscriptions from, String channel, String message) {
        if (channel.startsWith(Keys.INBOX)) {
            wake(from, () -> WakeText.parse(Keys.clientOf(channel), message));
        } else if (redisson != null) {
            redisson.waitedFor(channel).forEach(id -> wake(from, () -> new Wake(id, null)));
        }
    }

    private void wake(Subscriptions from, Supplier<Wake> message) {
        tell(() -> {
            Wake wake = message.get();
            return inboxes.isOf(from, wake.id().name()) ? wake : null;
        });
    }

    private void tell(Supplier<@Nullable Wake> message) {
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
            // Anybody may publish anything, and no listener ends the thread that reads.
            LOG.log(Level.DEBUG, "A wake was not taken", e);
        }
    }
}
