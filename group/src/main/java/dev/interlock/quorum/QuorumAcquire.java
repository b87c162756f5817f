package dev.interlock.quorum;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Tether;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
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
 * majority. A claim that waits is told to ask again after a random delay, which grows each time. A claim that tries
 * once begins more rounds, after short delays.
 *
 * <p>The engine deducts the time that all of this takes, because it counts the lease from the moment of its request. So
 * a claim is held only if the majority was quicker than its lease.
 */
final class QuorumAcquire {

    /** How long a busy round waits for stragglers, and the shortest delay before a claim that waits asks again. */
    private static final Duration DELAY = Duration.ofMillis(12);

    /** The delay before the next round of a claim that tries once, times the number of the round. */
    private static final Duration SHORT_DELAY = Duration.ofMillis(4);

    /** A claim that tries once begins no round after this time: its caller waits for the answer for little longer. */
    private static final Duration LAST_ROUND = Duration.ofMillis(20);

    /** How often the delay of a claim that waits is doubled at most: to half a second and more. */
    private static final int MAX_DOUBLINGS = 5;

    private final Nodes nodes;
    private final FenceRegister register;
    private final QuorumClaim known;
    private final Claim claim;
    private final @Nullable QuorumClaim replaced;
    private final long begunNanos = System.nanoTime();

    /**
     * @param known the state of the claim
     * @param replaced the state of the claim that this one replaces; null if it replaces none
     */
    QuorumAcquire(Nodes nodes, FenceRegister register, QuorumClaim known, Claim claim, @Nullable QuorumClaim replaced) {
        this.nodes = nodes;
        this.register = register;
        this.known = known;
        this.claim = claim;
        this.replaced = replaced;
    }

    CompletableFuture<Attempt> run() {
        return round(1);
    }

    private CompletableFuture<Attempt> round(int number) {
        CompletableFuture<Responses.Tally<Attempt>> responses =
                Responses.collect(nodes.forEach(this::request), this::ifDecided, DELAY, this::ifNoMajority);
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
        Claim inStore = known.inStore(store, claim);
        known.pending(store, true);
        CompletionStage<Attempt> request =
                nodes.get(store).acquire(earlier == null ? inStore : inStore.replacing(earlier.inStore(store)));
        return Responses.within(nodes.timeout(claim.lease()), request).thenApply(answer -> {
            if (answer instanceof Attempt.Granted granted && !Attempt.isFence(granted.fence())) {
                // It counts as no answer, and is released: one store's wrong fence must not become that of all.
                throw new IllegalStateException("A store granted lock '"
                        + claim.id().name() + "' with a fence that makes no token: fence=" + granted.fence());
            }
            if (known.inStore(store).equals(inStore.owner())) {
                known.pending(store, false);
            }
            return answer;
        });
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
        CompletableFuture<?> released = releaseGrants(tally);
        if (granted(tally) == 0) {
            return released.thenApply(done -> Attempt.busy(retryAfter(tally)));
        }
        if (claim.waited() != null) {
            return released.thenApply(done -> Attempt.busy(delayAfterSplits(known.countSplit())));
        }
        Duration delay = SHORT_DELAY.multipliedBy(number);
        return LAST_ROUND.minus(delay).toNanos() > System.nanoTime() - begunNanos
                ? released.thenComposeAsync(done -> round(number + 1), RandomDelay.upTo(delay))
                : released.thenApply(done -> Attempt.busy(delayAfterSplits(0)));
    }

    /** Releases the claim in the stores that have granted it, and in those that may still grant it. */
    private CompletableFuture<?> releaseGrants(Responses.Tally<Attempt> tally) {
        List<CompletableFuture<Boolean>> releases = new ArrayList<>();
        for (int store = 0; store < nodes.size(); store++) {
            Attempt answer = tally.responses().get(store);
            if (!(answer instanceof Attempt.Busy)) {
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
        return Responses.within(nodes.timeout(claim.lease()), nodes.get(store).release(inStore))
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
    private static Duration delayAfterSplits(int splits) {
        long nanos = ThreadLocalRandom.current().nextLong(DELAY.toNanos(), 4 * DELAY.toNanos());
        return Duration.ofNanos(nanos << Math.min(splits, MAX_DOUBLINGS));
    }
}
