package dev.interlock.quorum;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.StoreRefusal;
import dev.interlock.spi.Tether;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One acquire of one claim, in rounds. In each round all stores are requested at once:
 *
 * <pre>
 *   a majority grants     -&gt; The fence is chosen and written to a majority, and then the claim is granted. It is
 *                            refused if too many of the stores would forget the fence.
 *   too few stores answer -&gt; The acquire fails, and the caller releases the claim.
 *   otherwise             -&gt; The claim is busy. A claim that waits stays in the queues in which it is. Grants are
 *                            released, and so is the claim in every store that has not answered.
 * </pre>
 *
 * <p>If some stores grant, but no majority, the grants may be split between claims, or the holder has only a bare
 * majority. A claim that waits is told to ask again after a random delay, which grows each time. Of the claims that try
 * once at the same time one must win, so one of them keeps what it has: the one that the first store has granted. It
 * begins more rounds, after short delays, while the others release all and ask the first store alone, where they are in
 * nobody's way:
 *
 * <pre>
 *   split, and the first store grants -&gt; keep the grants, begin another round
 *   split, and it does not            -&gt; release them, ask the first store; begin another round once it grants, and
 *                                        also if it is still busy after a while: one that is dead may be all that it
 *                                        has
 * </pre>
 *
 * <p>The first store is the first that answers in a round. While all stores answer, all claims mean the same one.
 *
 * <p>The engine deducts the time that all of this takes, because it counts the lease from the moment of its request. So
 * a claim is held only if the majority was quicker than its lease.
 */
final class QuorumAcquire {

    /** How long a busy round waits for stragglers, and the shortest delay before a claim that waits asks again. */
    private static final Duration DELAY = Duration.ofMillis(12);

    /** The longest delay before the next round of a claim that tries once. */
    private static final Duration SHORT_DELAY = Duration.ofMillis(4);

    /** A claim that tries once begins its last round after this time, */
    private static final Duration LAST_ROUND = Duration.ofMillis(20);

    /**
     * unless it has had fewer rounds than this, because the stores are far away: the releases of those that have split
     * the grants take about two, and others may begin meanwhile.
     */
    private static final int LEAST_ROUNDS = 5;

    /** How often a claim asks the first store before the next round: one that keeps its grants has as many rounds. */
    private static final int LOOKS = 2;

    /** How often the delay of a claim that waits is doubled at most: to half a second and more. */
    private static final int MAX_DOUBLINGS = 5;

    private final Nodes nodes;
    private final FenceRegister register;
    private final QuorumClaim known;
    private final Claim claim;
    private final @Nullable QuorumClaim replaced;
    private final long begunNanos;

    /**
     * @param known the state of the claim
     * @param replaced the state of the claim that this one replaces; null if it replaces none
     */
    QuorumAcquire(Nodes nodes, FenceRegister register, QuorumClaim known, Claim claim, @Nullable QuorumClaim replaced) {
        this.nodes = nodes;
        this.begunNanos = nodes.time().nanoTime();
        this.register = register;
        this.known = known;
        this.claim = claim;
        this.replaced = replaced;
    }

    CompletableFuture<Attempt> run() {
        return round(1);
    }

    private CompletableFuture<Attempt> round(int number) {
        CompletableFuture<Responses.Tally<Attempt>> responses = Responses.collect(
                nodes.forEach(this::request),
                this::ifDecided,
                () -> nodes.time().upTo(DELAY),
                this::ifNoMajority);
        return responses.thenCompose(tally -> {
            if (granted(tally) >= nodes.majority()) {
                return granted(tally, tethers(tally));
            }
            if (tally.received() + tally.open() < nodes.majority()) {
                return CompletableFuture.failedFuture(tally.tooFew());
            }
            return busy(tally, number);
        });
    }

    private CompletableFuture<Attempt> request(int store) {
        QuorumClaim earlier = replaced;
        // Read before the request: an acquire that is answered in the meantime may still follow it.
        boolean mayCome = earlier != null && earlier.isPending(store);
        Claim inStore = known.inStore(store, claim);
        known.pending(store, true);
        Duration limit = nodes.timeout(store, nodes.timeout(claim.lease()));
        CompletableFuture<Attempt> request = nodes.get(store)
                .acquire(earlier == null ? inStore : inStore.replacing(earlier.inStore(store)))
                .toCompletableFuture();
        known.sent(store, request);
        CompletableFuture<Attempt> response = nodes.time().within(limit, request);
        return response.whenComplete((answer, failure) -> releaseReplaced(store, failure == null && !mayCome))
                .thenApply(answer -> {
                    if (answer instanceof Attempt.Granted granted && !Attempt.isFence(granted.fence())) {
                        // It counts as no answer, and is released: one store's wrong fence must not become that of all.
                        throw new StoreRefusal(
                                "A store granted lock '" + claim.id().printable()
                                        + "' with a fence that makes no token: fence=" + granted.fence());
                    }
                    if (known.inStore(store).equals(inStore.owner())) {
                        known.pending(store, false);
                    }
                    return answer;
                });
    }

    /**
     * The replaced claim would stay in this store for a lease if the acquire that replaces it has failed there, or if
     * its own acquire arrives after that one. Its release follows the answer, so that nobody else comes between the
     * claims.
     */
    private void releaseReplaced(int store, boolean isReplaced) {
        Claim left = replaced == null ? null : replaced.giveUp(store, isReplaced);
        if (left != null) {
            nodes.pendingReleases(store).add(left);
        }
    }

    /** A majority ends the round at once, and so do all answers. */
    private Responses.@Nullable Tally<Attempt> ifDecided(Responses.Tally<Attempt> tally) {
        return granted(tally) >= nodes.majority() || tally.open() == 0 ? tally : null;
    }

    /**
     * If no majority is possible, the round waits a little for stragglers: in a store whose answer is still on its way,
     * the claim cannot stay in the queue.
     */
    private Responses.@Nullable Tally<Attempt> ifNoMajority(Responses.Tally<Attempt> tally) {
        return granted(tally) + tally.open() < nodes.majority() ? tally : null;
    }

    private Tether tethers(Responses.Tally<Attempt> tally) {
        List<Tether> tethers = new ArrayList<>();
        for (int store = 0; store < nodes.size(); store++) {
            if (tally.responses().get(store) instanceof Attempt.Granted granted) {
                tethers.add(granted.tether());
                register.learn(store, granted.tether());
            }
        }
        return MajorityTether.of(tethers, nodes.majority());
    }

    private CompletableFuture<Attempt> granted(Responses.Tally<Attempt> tally, Tether tether) {
        long before = known.fence();
        if (before > 0) {
            // The same claim again, after its answer was lost.
            return CompletableFuture.completedFuture(Attempt.granted(before, tether));
        }
        UnsupportedOperationException refusal = register.refusal(claim.id());
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        Map<Integer, Long> fences = new HashMap<>();
        for (int store = 0; store < nodes.size(); store++) {
            if (tally.responses().get(store) instanceof Attempt.Granted granted) {
                fences.put(store, granted.fence());
            }
        }
        return register.raise(claim, fences).thenApply(fence -> {
            known.granted(fence);
            return Attempt.granted(fence, tether);
        });
    }

    private CompletableFuture<Attempt> busy(Responses.Tally<Attempt> tally, int number) {
        known.notGranted();
        boolean triesOnce = claim.waited() == null && granted(tally) > 0;
        int first = first(tally);
        boolean keeps = triesOnce && !isOver(number) && tally.responses().get(first) instanceof Attempt.Granted;
        CompletableFuture<?> released = releaseGrants(tally, keeps);
        if (granted(tally) == 0) {
            return released.thenApply(done -> Attempt.busy(retryAfter(tally)));
        }
        if (!triesOnce) {
            return released.thenApply(done -> Attempt.busy(delayAfterSplits(known.countSplit())));
        }
        if (isOver(number)) {
            return released.thenApply(done -> Attempt.busy(delayAfterSplits(0)));
        }
        return released.thenComposeAsync(
                done -> keeps ? round(number + 1) : look(first, LOOKS, number + 1),
                nodes.time().upTo(SHORT_DELAY));
    }

    /** Whether a claim that tries once has had all its rounds. */
    private boolean isOver(int number) {
        return number > LEAST_ROUNDS && nodes.time().nanoTime() - begunNanos > LAST_ROUND.toNanos();
    }

    /** The first store that has answered. */
    private static int first(Responses.Tally<Attempt> tally) {
        int first = 0;
        while (tally.responses().get(first) == null) {
            first++;
        }
        return first;
    }

    /** Asks the first store alone. The round that follows asks it once more, for the same grant. */
    private CompletableFuture<Attempt> look(int first, int looks, int number) {
        Claim inStore = known.inStore(first, claim);
        return request(first)
                .handle((answer, failure) -> {
                    if (failure != null) {
                        // It may still grant it.
                        known.nextRound(first);
                        nodes.pendingReleases(first).add(inStore);
                    }
                    return answer instanceof Attempt.Busy && looks > 1;
                })
                .thenCompose(isBusy -> isBusy
                        ? CompletableFuture.runAsync(() -> {}, nodes.time().upTo(SHORT_DELAY))
                                .thenCompose(done -> look(first, looks - 1, number + 1))
                        : round(number + 1));
    }

    /**
     * Releases the claim in the stores that have granted it, unless it keeps them, and in those that may still grant
     * it.
     */
    private CompletableFuture<?> releaseGrants(Responses.Tally<Attempt> tally, boolean keeps) {
        List<CompletableFuture<Boolean>> releases = new ArrayList<>();
        for (int store = 0; store < nodes.size(); store++) {
            Attempt answer = tally.responses().get(store);
            if (!(answer instanceof Attempt.Busy) && !(keeps && answer instanceof Attempt.Granted)) {
                Claim inStore = known.inStore(store, claim);
                known.nextRound(store);
                if (answer == null) {
                    nodes.pendingReleases(store).add(inStore);
                } else {
                    releases.add(release(store, inStore));
                }
            }
        }
        return CompletableFuture.allOf(releases.toArray(new @Nullable CompletableFuture<?>[0]))
                .exceptionally(failure -> null);
    }

    private CompletableFuture<Boolean> release(int store, Claim inStore) {
        return nodes.time()
                .within(nodes.timeout(claim.lease()), nodes.get(store).release(inStore))
                // Only this object knows this owner: without the repetition it would keep the store for a lease.
                .whenComplete((held, failure) -> nodes.pendingReleases(store).repeat(inStore, false, held, failure));
    }

    private static int granted(Responses.Tally<Attempt> tally) {
        return tally.count(Attempt.Granted.class::isInstance);
    }

    /** The time after which enough of the busy stores may be free for a majority. */
    private Duration retryAfter(Responses.Tally<Attempt> tally) {
        List<Duration> delays = new ArrayList<>();
        for (Attempt answer : tally.responses()) {
            if (answer instanceof Attempt.Busy busy) {
                delays.add(busy.retryAfter());
            }
        }
        Collections.sort(delays);
        return delays.get(Math.min(delays.size(), nodes.majority()) - 1);
    }

    /** @param splits how often the grants for the claim have been split before */
    private Duration delayAfterSplits(int splits) {
        long nanos = nodes.time().random(DELAY.toNanos(), 4 * DELAY.toNanos());
        return Duration.ofNanos(nanos << Math.min(splits, MAX_DOUBLINGS));
    }
}
