package dev.interlock.redis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.redis.command.Failures;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The channel on which a client receives its wakes from one server. In a cluster it is a sharded channel, so that a
 * wake stays on the server that publishes it. It is an ordinary channel if the server has no sharded ones, or if the
 * Redis user may not subscribe to them.
 *
 * <p>A sharded channel belongs to a slot, and must be on the server that has the awaited locks. Its name contains a
 * hash tag of the slot of the first of these locks; the others may belong to any slot of that server. If the slot moves
 * to another server, the server ends the subscription, and the next claim that waits chooses another channel. Claims
 * that are listed meanwhile receive no wake and poll.
 */
final class Inbox {

    private final PubSubConnection connection;
    private final String clientId;
    private final Channel plain;
    private volatile boolean unsharded;

    /** Written under this object's monitor, under which nothing is sent. */
    private volatile Channel channel;

    /** The channel if the connection may not know yet that it is wanted: another claim must not choose another. */
    @GuardedBy("this")
    private @Nullable Channel fresh;

    /**
     * One of the inbox's channels.
     *
     * @param suffix the end of a waiting claim's entry that makes scripts publish there: {@code " @<number>"}, or
     *     nothing if the channel is not sharded
     */
    private record Channel(String name, String suffix) {
        boolean isSharded() {
            return !suffix.isEmpty();
        }
    }

    Inbox(PubSubConnection connection, String clientId) {
        this.connection = connection;
        this.clientId = clientId;
        this.plain = new Channel(Keys.inboxChannel(clientId), "");
        this.channel = plain;
    }

    /** The end of the entry of a claim that waits for a wake in this inbox. */
    String suffix() {
        return channel.suffix();
    }

    /** As {@link #suffix()}; null if no wake would be received now. */
    @Nullable
    String suffixIfSubscribed() {
        Channel present = channel;
        return connection.isSubscribed(present.name()) ? present.suffix() : null;
    }

    /**
     * Subscribes, unless that is done or under way. Callers must not complete the future.
     *
     * @param slot the slot of the awaited lock; -1 if there is no cluster
     */
    CompletableFuture<Void> subscribe(int slot) {
        Channel chosen = choose(slot);
        if (!chosen.isSharded()) {
            return connection.subscribe(chosen.name());
        }
        CompletableFuture<Void> subscribed = connection.subscribeSharded(chosen.name());
        settle(chosen);
        return subscribed.exceptionallyCompose(failure -> {
            if (!Failures.isRefusal(failure)) {
                return CompletableFuture.failedFuture(failure);
            }
            unsharded = true;
            return subscribe(slot);
        });
    }

    /** Whether the channel that is not sharded is subscribed, or about to be. */
    boolean isListening() {
        return connection.isWanted(plain.name());
    }

    /** Subscribes the channel that is not sharded. Callers must not complete the future. */
    CompletableFuture<Void> listen() {
        return connection.subscribe(plain.name());
    }

    private synchronized Channel choose(int slot) {
        if (slot < 0 || unsharded) {
            channel = plain;
        } else if (!channel.equals(fresh) && !(channel.isSharded() && connection.isWanted(channel.name()))) {
            int number = SlotTags.find(slot);
            fresh = new Channel(Keys.inboxChannel(clientId, number), " @" + number);
            channel = fresh;
        }
        return channel;
    }

    private synchronized void settle(Channel known) {
        if (known.equals(fresh)) {
            fresh = null;
        }
    }
}
