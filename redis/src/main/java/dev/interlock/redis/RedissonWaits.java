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
 * Which claims wait for a name on the channel where Redisson announces its releases: that of locks or that of
 * read/write locks. The channel is subscribed as long as one does. Redisson has no part in other kinds.
 */
final class RedissonWaits {

    private final Inboxes inboxes;

    /**
     * By channel, the owners that wait there and what each waits for. Inner maps are replaced, never changed, and never
     * empty.
     */
    private final Map<String, Map<String, LockId>> waiting = new ConcurrentHashMap<>();

    RedissonWaits(Inboxes inboxes) {
        this.inboxes = inboxes;
    }

    /**
     * Whether all is done for the claim to hear of a release: a server that does not let this user listen is not waited
     * for.
     */
    boolean isReady(Claim claim) {
        String channel = channel(claim.id());
        if (channel == null) {
            return true;
        }
        Map<String, LockId> owners = waiting.get(channel);
        return owners != null
                && owners.containsKey(claim.owner().value())
                && inboxes.of(claim).isDecided(channel);
    }

    CompletableFuture<Boolean> prepare(Claim claim) {
        String channel = channel(claim.id());
        if (channel == null) {
            return CompletableFuture.completedFuture(true);
        }
        waiting.compute(channel, (key, owners) -> {
            Map<String, LockId> more = owners == null ? new HashMap<>() : new HashMap<>(owners);
            more.put(claim.owner().value(), claim.id());
            return more;
        });
        return inboxes.of(claim).open(channel).handle((nothing, failure) -> failure == null);
    }

    /**
     * The claim waits no longer. If another begins to wait at the same instant, its subscription may end with this one:
     * it opens it again when it asks again.
     */
    void ended(Claim claim) {
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
            inboxes.of(claim).close(channel);
        }
    }

    /** What is waited for on this channel: mostly one name. */
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
