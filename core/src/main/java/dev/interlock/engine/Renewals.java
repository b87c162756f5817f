package dev.interlock.engine;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Renews claims in batches. A claim may be renewed a little early, so that claims that are due soon after one another
 * share a request. A batch has only leases of about the same length, because the shortest determines how long to wait
 * for the reply.
 *
 * <p>{@link #add} and {@link #flush} are called by the supervisor's thread only; replies arrive on any thread.
 */
final class Renewals {

    /** A claim may be renewed this share of its lease early. */
    static final int SLACK_DIVISOR = 12;

    /**
     * The claims in one request. A cluster divides them among its masters: each of three still gets more than a
     * hundred.
     */
    private static final int BATCH = 384;

    private final StoreClient store;

    /** The requests that are not answered, and when to give them up. */
    private final Map<CompletableFuture<?>, Long> underWay = new ConcurrentHashMap<>();

    /** By {@link #group}. */
    private Map<Integer, Map<Claim, Item>> next = new LinkedHashMap<>();

    private boolean full;

    private long longestSlackNanos;

    /** The arbiter of a claim. */
    interface Listener {
        /**
         * The renewal of a claim has ended.
         *
         * @param answer null if the store did not reply, or left the claim out
         * @param length the lease that was requested
         */
        void onRenewalReply(ClaimLife renewed, @Nullable Renewal answer, Duration length, long sentAtNanos);
    }

    private static final class Item {
        final Listener listener;
        final ClaimLife life;
        final long sentAtNanos;
        final int failures;

        Item(Listener listener, ClaimLife life, long sentAtNanos, int failures) {
            this.listener = listener;
            this.life = life;
            this.sentAtNanos = sentAtNanos;
            this.failures = failures;
        }
    }

    Renewals(StoreClient store) {
        this.store = store;
    }

    /** Adds a claim to the next batch. */
    void add(Listener listener, ClaimLife life, Duration length, long nowNanos) {
        longestSlackNanos = Math.max(longestSlackNanos, length.toNanos() / SLACK_DIVISOR);
        Map<Claim, Item> items = next.computeIfAbsent(group(life, length), key -> new LinkedHashMap<>());
        items.put(life.claim().withLease(length), new Item(listener, life, nowNanos, life.renewalFailures()));
        full |= items.size() >= BATCH;
    }

    /** Whether a batch goes out anyway that the claim may join. */
    boolean isPendingFor(ClaimLife life, Duration length) {
        return next.containsKey(group(life, length));
    }

    /**
     * The key of a batch: the magnitude of the length, to the base of two, and whether a renewal has failed. After a
     * failure the reply is waited for longer, which must not delay the others.
     */
    private static int group(ClaimLife life, Duration length) {
        return Long.numberOfLeadingZeros(length.toNanos()) + (life.renewalFailures() > 0 ? Long.SIZE : 0);
    }

    /**
     * Sends the batches if one is full. Not called under an arbiter's monitor: the reply may arrive at once and lead to
     * code of the user.
     */
    void flushIfFull() {
        if (full) {
            flush();
        }
    }

    /** Whether claims were added that have not been sent. */
    boolean isPending() {
        return !next.isEmpty();
    }

    /** How early a claim may be renewed at most, given the longest lease that was added so far. */
    long longestSlackNanos() {
        return longestSlackNanos;
    }

    /** Sends what has been added. */
    void flush() {
        if (next.isEmpty()) {
            return;
        }
        Map<Integer, Map<Claim, Item>> batches = next;
        next = new LinkedHashMap<>();
        full = false;
        batches.values().forEach(this::send);
    }

    // A future equals itself alone, which is meant.
    @SuppressWarnings("CollectionUndefinedEquality")
    private void send(Map<Claim, Item> items) {
        List<Claim> claims = new ArrayList<>(items.size());
        items.forEach((claim, item) -> claims.add(item.life.inStore(claim)));
        CompletableFuture<Map<Claim, Renewal>> request = store.renew(claims);
        long sentNanos = store.clock().now();
        underWay.put(request, sentNanos + timeoutNanos(items));
        var unused = request.whenComplete((answers, error) -> {
            underWay.remove(request);
            long now = store.clock().now();
            store.ended(error, now);
            // One that was given up may have answers, too: those that had come by then.
            if (answers != null && answers.size() == claims.size()) {
                store.timeouts().replyTook(now - sentNanos);
            }
            items.forEach((claim, item) -> {
                Renewal answer = answers == null ? null : answers.get(claim);
                item.listener.onRenewalReply(item.life, answer, claim.lease(), item.sentAtNanos);
            });
        });
    }

    /** Gives up requests that were not answered in time; returns when to look again. */
    long tick(long nowNanos) {
        long due = EngineClock.NEVER;
        for (Map.Entry<CompletableFuture<?>, Long> request : underWay.entrySet()) {
            if (nowNanos >= request.getValue()) {
                store.timeouts().missed(nowNanos);
                request.getKey().cancel(false);
            } else {
                due = Math.min(due, request.getValue());
            }
        }
        return due;
    }

    private long timeoutNanos(Map<Claim, Item> items) {
        long shortest = Long.MAX_VALUE;
        int failures = 0;
        for (Map.Entry<Claim, Item> entry : items.entrySet()) {
            Duration lease = entry.getKey().lease();
            shortest = Math.min(shortest, lease.toNanos());
            failures = Math.max(failures, entry.getValue().failures);
        }
        return store.timeouts().renewalNanos(Duration.ofNanos(shortest), failures);
    }
}
