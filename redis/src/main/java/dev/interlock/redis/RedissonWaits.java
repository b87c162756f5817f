package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.spi.Claim;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Which claims wait for a name on the channel where Redisson announces its releases. The channel is subscribed as long as one does. */
final class RedissonWaits {

    private final Inboxes inboxes;

    /** By channel, the owners that wait there and the name that each waits for. Inner maps are replaced, never changed, and never empty. */
    private final Map<String, Map<String, String>> waiting = new ConcurrentHashMap<>();

    RedissonWaits(Inboxes inboxes) {
        this.inboxes = inboxes;
    }

    boolean isReady(Claim claim) {
        String channel = channel(claim);
        Map<String, String> owners = waiting.get(channel);
        return owners != null
                && owners.containsKey(claim.owner().value())
                && inboxes.of(claim).isUp(channel);
    }

    CompletableFuture<Boolean> prepare(Claim claim) {
        String channel = channel(claim);
        waiting.compute(channel, (key, owners) -> {
            Map<String, String> more = owners == null ? new HashMap<>() : new HashMap<>(owners);
            more.put(claim.owner().value(), claim.id().name());
            return more;
        });
        return inboxes.of(claim).open(channel).handle((nothing, failure) -> failure == null);
    }

    /**
     * The claim waits no longer. If another begins to wait at the same instant, its subscription may end with this one: it opens it again when it asks
     * again.
     */
    void ended(Claim claim) {
        String channel = channel(claim);
        if (!waiting.containsKey(channel)) {
            return;
        }
        Map<String, String> left = waiting.computeIfPresent(channel, (key, owners) -> {
            Map<String, String> fewer = new HashMap<>(owners);
            fewer.remove(claim.owner().value());
            return fewer.isEmpty() ? null : fewer;
        });
        if (left == null) {
            inboxes.of(claim).close(channel);
        }
    }

    /** The names that are waited for on this channel: mostly one. */
    Collection<String> namesOf(String channel) {
        Map<String, String> owners = waiting.get(channel);
        return owners == null ? List.of() : Set.copyOf(owners.values());
    }

    private static String channel(Claim claim) {
        return new String(new Keys(claim.id().name()).redissonChannel(), UTF_8);
    }
}
