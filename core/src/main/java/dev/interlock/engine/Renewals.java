package dev.interlock.engine;

import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Log;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Withdrawable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
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

    /** The log says at this rate that renewals fail. */
    private static final long REPORT_PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

    private final StoreClient store;

    /** The requests that are not answered, and when to give them up. */
    private final Map<CompletableFuture<?>, UnderWay> underWay = new ConcurrentHashMap<>();

    /**
     * A request.
     *
     * @param items the claims in it
     * @param sentNanos when it was handed to the store
     * @param fromNanos when its time began: then, or when it was last seen in line behind others
     * @param timeoutNanos how long after that it is given up
     */
    private record UnderWay(Collection<Item> items, long sentNanos, long fromNanos, long timeoutNanos) {

        long untilNanos() {
            return fromNanos + timeoutNanos;
        }
    }

    /** How many renewals of claims have failed once more, since the log has said so; any thread counts. */
    private final AtomicInteger failedAgain = new AtomicInteger();

    /** Why the last of them has; null if none has. */
    private volatile @Nullable StoreUnavailableException lastFailure;

    /** When the log may say so next; NEVER if there is nothing to say. Only the supervisor's thread uses these. */
    private long reportNanos = EngineClock.NEVER;

    private long reportedNanos = Long.MIN_VALUE / 2;

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
         * @param failure why there is no answer; null if there is one
         * @param length the lease that was requested
         */
        void onRenewalReply(
                ClaimLife renewed,
                @Nullable Renewal answer,
                @Nullable StoreUnavailableException failure,
                Duration length,
                long sentAtNanos);
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
        underWay.put(request, new UnderWay(items.values(), sentNanos, sentNanos, timeoutNanos(items)));
        var unused = request.whenComplete((answers, error) -> {
            underWay.remove(request);
            long now = store.clock().now();
            store.ended(error, now);
            // One that was given up may have answers, too: those that had come by then.
            if (answers != null && answers.size() == claims.size()) {
                store.timeouts().replyTook(now - sentNanos);
            }
            Map<Claim, Renewal> known = answers == null ? Map.of() : answers;
            StoreUnavailableException failure = known.keySet().containsAll(items.keySet())
                    ? null
                    : notRenewed(items, known, error, now - sentNanos);
            items.forEach((claim, item) -> {
                Renewal answer = known.get(claim);
                item.listener.onRenewalReply(
                        item.life, answer, answer == null ? failure : null, claim.lease(), item.sentAtNanos);
            });
        });
    }

    private StoreUnavailableException notRenewed(
            Map<Claim, Item> items, Map<Claim, Renewal> known, @Nullable Throwable error, long tookNanos) {
        List<Map.Entry<Claim, Item>> left = items.entrySet().stream()
                .filter(item -> !known.containsKey(item.getKey()))
                .toList();
        String first = "lock '" + left.get(0).getKey().id().printable() + "'";
        StoreUnavailableException failure = StoreClient.notRenewed(
                left.size() == 1 ? first : left.size() + " claims, such as " + first, error, tookNanos);
        // One that has failed once is tried again at once, and mostly works: a connection that was idle was cut.
        int again =
                (int) left.stream().filter(item -> item.getValue().failures > 0).count();
        if (again > 0) {
            lastFailure = failure;
            failedAgain.addAndGet(again);
        }
        return failure;
    }

    /**
     * Says in the log how many renewals have failed again, in one line a minute. Called by the supervisor's thread at
     * each sweep, with no lock held. That a store is silent is said elsewhere.
     */
    private void report(long now) {
        StoreUnavailableException last = lastFailure;
        if (store.outage().isSilent() || last == null) {
            failedAgain.set(0);
            lastFailure = null;
            reportNanos = EngineClock.NEVER;
        } else if (reportNanos == EngineClock.NEVER) {
            // By then a store that does not answer counts as silent.
            reportNanos = Math.max(now + 2 * store.timeouts().attemptNanos(), reportedNanos + REPORT_PAUSE_NANOS);
        } else if (now >= reportNanos) {
            int count = failedAgain.getAndSet(0);
            lastFailure = null;
            reportNanos = EngineClock.NEVER;
            reportedNanos = now;
            Log.named("dev.interlock")
                    .log(
                            Level.WARNING,
                            count + (count == 1 ? " renewal has" : " renewals have")
                                    + " failed more than once; each is tried again while its lease lasts. The last: "
                                    + last.getMessage());
        }
    }

    /** Gives up requests that were not answered in time; returns when to look again. */
    long tick(long nowNanos) {
        long due = EngineClock.NEVER;
        for (Map.Entry<CompletableFuture<?>, UnderWay> request : List.copyOf(underWay.entrySet())) {
            UnderWay sent = request.getValue();
            if (nowNanos >= sent.untilNanos() && waitsForItsTurn(request.getKey(), sent)) {
                UnderWay waiting = new UnderWay(sent.items, sent.sentNanos, nowNanos, sent.timeoutNanos);
                // Not put: the request may have been answered meanwhile, and taken out.
                if (underWay.replace(request.getKey(), sent, waiting)) {
                    sent.items.forEach(item -> item.life.renewalKeptWaiting());
                }
                due = Math.min(due, waiting.untilNanos());
            } else if (nowNanos >= sent.untilNanos()) {
                store.missed(sent.sentNanos, nowNanos);
                request.getKey().cancel(false);
            } else {
                due = Math.min(due, sent.untilNanos());
            }
        }
        report(nowNanos);
        return Math.min(due, reportNanos);
    }

    /**
     * Whether the request waits in the store's line behind others, of which one was answered meanwhile. Giving it up
     * would only send it to the end of the line: with thousands of leases, or callers, none would ever come in time.
     */
    private boolean waitsForItsTurn(CompletableFuture<?> request, UnderWay sent) {
        return request instanceof Withdrawable queued
                && queued.isInLine()
                && store.timeouts().hasHeardSince(sent.fromNanos);
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
