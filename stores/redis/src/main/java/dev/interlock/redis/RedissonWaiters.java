package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The claims that wait on the channels on which Redisson publishes its releases: those of locks and of read/write
 * locks. A channel is subscribed for as long as a claim waits on it. Redisson has no equivalent of the other kinds.
 */
final class RedissonWaiters {

    private final PubSubConnections connections;

    /**
     * The owners that wait on each channel, and the lock that each waits for. Inner maps are replaced, never changed,
     * and never empty.
     */
    private final Map<String, Map<String, LockId>> waiting = new ConcurrentHashMap<>();

    RedissonWaiters(PubSubConnections connections) {
        this.connections = connections;
    }

    /**
     * Whether the claim needs no further step to receive the news of a release. A subscription that the server has
     * refused is not waited for.
     */
    boolean isReady(Claim claim) {
        String channel = channel(claim.id());
        if (channel == null) {
            return true;
        }
        Map<String, LockId> owners = waiting.get(channel);
        return owners != null
                && owners.containsKey(claim.owner().value())
                && connections.of(claim).isDecided(channel);
    }

    CompletableFuture<Boolean> subscribe(Claim claim) {
        String channel = channel(claim.id());
        if (channel == null) {
            return CompletableFuture.completedFuture(true);
        }
        waiting.compute(channel, (key, owners) -> {
            Map<String, LockId> more = owners == null ? new HashMap<>() : new HashMap<>(owners);
            more.put(claim.owner().value(), claim.id());
            return more;
        });
        return connections.of(claim).subscribe(channel).handle((nothing, failure) -> failure == null);
    }

    /**
     * Forgets a claim that waits no longer. The subscription of another claim that begins to wait at the same moment
     * may end with it: that claim subscribes again when it asks the store again.
     */
    void waitEnded(Claim claim) {
        String channel = channel(claim.id());
        if (channel == null || !waiting.containsKey(channel)) {
            return;
        }
        Map<String, LockId> left = waiting.computeIfPresent(channel, (key, owners) -> {
            Map<String, LockId> fewer = new HashMap<>(owners);
            fewer.remove(claim.owner().value());
            return fewer.isEmpty() ? null : fewer;
        });
        if (left == null) {
            connections.of(claim).unsubscribe(channel);
        }
    }

    /** The locks that claims wait for on this channel: mostly one. */
    Collection<LockId> waitedFor(String channel) {
        Map<String, LockId> owners = waiting.get(channel);
        return owners == null ? List.of() : Set.copyOf(owners.values());
    }

    /** Null if Redisson does not know the kind. */
    private static @Nullable String channel(LockId id) {
        Keys keys = new Keys(id.name());
        return switch (id.kind()) {
            case LOCK -> new String(keys.redissonChannel(), UTF_8);
            case READ_WRITE -> new String(keys.redissonSharedChannel(), UTF_8);
            default -> null;
        };
    }
}
