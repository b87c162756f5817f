package dev.interlock.engine;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Renews claims in batches. A claim may be renewed a little early, so that claims that fall due soon after one another
 * share a request; only with others of about its length, for the shortest of them says for how long an answer is waited
 * for.
 *
 * <p>{@link #add} and {@link #flush} belong to the supervisor's thread; answers come on any thread.
 */
final class Renewals {

    /** A claim may be renewed this share of its lease early. */
    static final int SLACK_DIVISOR = 12;

    /** A cluster divides it among its masters, and each of three still gets more than a hundred. */
    private static final int BATCH = 384;

    private final StoreClient store;
    private final Queue<Batch> underWay = new ConcurrentLinkedQueue<>();

    /** By what they have {@link #inCommon}. */
    private Map<Integer, Map<Claim, Item>> next = new LinkedHashMap<>();

    private boolean full;

    private long longestSlackNanos;

    /** Whom a claim belongs to: its arbiter. */
    interface Listener {
        /**
         * The renewal of a claim has ended.
         *
         * @param answer null if the store did not reply, or left the claim out
         * @param length the lease that was requested
         */
        void onRenewalReply(ClaimLife renewed, @Nullable Renewal answer, Duration length, long sentAtNanos);
    }

    private record Item(Listener listener, ClaimLife life, long sentAtNanos, int failures) {}

    private record Batch(Map<Claim, Item> items, CompletableFuture<Map<Claim, Renewal>> future, long timeoutAtNanos) {}

    Renewals(StoreClient store) {
        this.store = store;
    }

    /** Takes a claim into the next batch. */
    void add(Listener listener, ClaimLife life, Duration length, long nowNanos) {
        longestSlackNanos = Math.max(longestSlackNanos, length.toNanos() / SLACK_DIVISOR);
        Map<Claim, Item> items = next.computeIfAbsent(inCommon(life, length), key -> new LinkedHashMap<>());
        items.put(life.claim().withLease(length), new Item(listener, life, nowNanos, life.renewalFailures()));
        full |= items.size() >= BATCH;
    }

    /** Whether something goes out anyway beside which it may be renewed. */
    boolean isPendingFor(ClaimLife life, Duration length) {
        return next.containsKey(inCommon(life, length));
    }

    /**
     * The magnitude of the length, to the base of two; and whether an answer is missed already: what waits longer for
     * that must not wait for the others.
     */
    private static int inCommon(ClaimLife life, Duration length) {
        return Long.numberOfLeadingZeros(length.toNanos()) + (life.renewalFailures() > 0 ? Long.SIZE : 0);
    }

    /**
     * Sends a batch that is full. Not under the monitor of whoever added to it: the answer may be here at once, and
     * call the user's code.
     */
    void flushIfFull() {
        if (full) {
            flush();
        }
    }

    /** Whether something has been added and not been sent. */
    boolean isPending() {
        return !next.isEmpty();
    }

    /** How early a claim may be renewed at most, of those whose leases are as long as any that was added so far. */
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

    private void send(Map<Claim, Item> items) {
        CompletableFuture<Map<Claim, Renewal>> future = store.renew(List.copyOf(items.keySet()));
        Batch batch = new Batch(items, future, store.clock().now() + timeoutNanos(items));
        underWay.add(batch);
        var unused = future.whenComplete((answers, error) -> onReply(batch, answers));
    }

    /** Gives up what has not been answered in time; returns when to look again. */
    long tick(long nowNanos) {
        long due = EngineClock.NEVER;
        for (Batch batch : new ArrayList<>(underWay)) {
            if (nowNanos >= batch.timeoutAtNanos()) {
                batch.future().cancel(false);
            } else {
                due = Math.min(due, batch.timeoutAtNanos());
            }
        }
        return due;
    }

    private void onReply(Batch batch, @Nullable Map<Claim, Renewal> answers) {
        underWay.remove(batch);
        batch.items().forEach((claim, item) -> {
            Renewal answer = answers == null ? null : answers.get(claim);
            item.listener().onRenewalReply(item.life(), answer, claim.lease(), item.sentAtNanos());
        });
    }

    private long timeoutNanos(Map<Claim, Item> items) {
        long shortest = Long.MAX_VALUE;
        int failures = 0;
        for (Map.Entry<Claim, Item> entry : items.entrySet()) {
            Duration lease = entry.getKey().lease();
            shortest = Math.min(shortest, lease.toNanos());
            failures = Math.max(failures, entry.getValue().failures());
        }
        return store.timeouts().renewalNanos(Duration.ofNanos(shortest), failures);
    }
}
