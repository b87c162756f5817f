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
 * One acquire of one claim, in rounds.
 *
 * <pre>
 *   all stores are asked at once
 *     a majority grants     -> the fence is chosen and written to a majority -> granted; refused if too many of the stores do not keep it
 *     too few answer        -> failed: the caller releases the claim
 *     else                  -> busy: a claim that waits stays listed where it is; what was granted goes back, and what was not answered is taken back
 *
 *   some grant, too few: it may be that nobody has a majority, or that the holder has no more than that
 *     a claim that waits is told to ask again a random moment later, each time after a longer one; one that tries once has some more rounds at once
 * </pre>
 *
 * <p>The time that all of this took is deducted by the engine, whose lease counts from the moment when it asked: so a
 * claim is held only if the majority was quicker than its lease.
 */
final class Election {

    /** For how long a defeat waits for stragglers, and the least time after which a claim that waits asks again. */
    private static final Duration PAUSE = Duration.ofMillis(12);

    /** The pause between the rounds of a claim that tries once, times their number. */
    private static final Duration SHORT_PAUSE = Duration.ofMillis(4);

    /** When such a claim begins no more rounds: who tries for no time waits for an answer for little longer. */
    private static final Duration LAST_ROUND = Duration.ofMillis(20);

    /** How often the pause of a claim that waits is doubled: to half a second and more. */
    private static final int MOST_DOUBLINGS = 5;

    private final Nodes nodes;
    private final FenceRegister register;
    private final Ballot ballot;
    private final Claim claim;
    private final @Nullable Ballot replaced;
    private final long begunNanos = System.nanoTime();

    /** @param replaced the claim that is replaced; null if none */
    Election(Nodes nodes, FenceRegister register, Ballot ballot, Claim claim, @Nullable Ballot replaced) {
        this.nodes = nodes;
        this.register = register;
        this.ballot = ballot;
        this.claim = claim;
        this.replaced = replaced;
    }

    CompletableFuture<Attempt> run() {
        return round(1);
    }

    private CompletableFuture<Attempt> round(int number) {
        CompletableFuture<Poll.Count<Attempt>> votes =
                Poll.take(nodes.each(this::ask), this::decided, PAUSE, this::lost);
        return votes.thenCompose(count -> {
            if (granted(count) >= nodes.majority()) {
                return won(count);
            }
            if (count.answered() + count.open() < nodes.majority()) {
                return CompletableFuture.failedFuture(count.tooFew());
            }
            return lost(count, number);
        });
    }

    private CompletableFuture<Attempt> ask(int store) {
        Ballot earlier = replaced;
        Claim asked = ballot.inStore(store, claim);
        ballot.isUnknown(store, true);
        CompletionStage<Attempt> request =
                nodes.get(store).acquire(earlier == null ? asked : asked.replacing(earlier.inStore(store)));
        return Nodes.within(nodes.patience(claim.lease()), request).thenApply(answer -> {
            if (answer instanceof Attempt.Granted granted && !Attempt.isFence(granted.fence())) {
                // It counts as no answer, and is taken back: one store's fence must not become that of all.
                throw new IllegalStateException("A store granted lock '"
                        + claim.id().name() + "' with a fence that makes no token: fence=" + granted.fence());
            }
            if (ballot.inStore(store).equals(asked.owner())) {
                ballot.isUnknown(store, false);
            }
            return answer;
        });
    }

    /** A majority ends the round at once, and so do all answers. */
    private Poll.@Nullable Count<Attempt> decided(Poll.Count<Attempt> count) {
        return granted(count) >= nodes.majority() || count.open() == 0 ? count : null;
    }

    /** A defeat waits for stragglers a moment: where the answer is still on its way, the claim cannot stay listed. */
    private Poll.@Nullable Count<Attempt> lost(Poll.Count<Attempt> count) {
        return granted(count) + count.open() < nodes.majority() ? count : null;
    }

    private CompletableFuture<Attempt> won(Poll.Count<Attempt> count) {
        Map<Integer, Long> fences = new HashMap<>();
        List<Tether> tethers = new ArrayList<>();
        for (int store = 0; store < nodes.size(); store++) {
            if (count.answers().get(store) instanceof Attempt.Granted granted) {
                fences.put(store, granted.fence());
                tethers.add(granted.tether());
                register.learn(store, granted.tether());
            }
        }
        Tether tether = MajorityTether.of(tethers, nodes.majority());
        long before = ballot.fence();
        if (before > 0) {
            // The same claim again, after a lost answer.
            return CompletableFuture.completedFuture(Attempt.granted(before, tether));
        }
        UnsupportedOperationException refusal = register.refusal(claim.id());
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        return register.raise(claim, fences).thenApply(fence -> {
            ballot.won(fence);
            return Attempt.granted(fence, tether);
        });
    }

    private CompletableFuture<Attempt> lost(Poll.Count<Attempt> count, int number) {
        ballot.lost();
        CompletableFuture<?> back = takeBack(count);
        if (granted(count) == 0) {
            return back.thenApply(done -> Attempt.busy(retryAfter(count)));
        }
        if (claim.waited() != null) {
            return back.thenApply(done -> Attempt.busy(pauseAfter(ballot.split())));
        }
        Duration pause = SHORT_PAUSE.multipliedBy(number);
        return LAST_ROUND.minus(pause).toNanos() > System.nanoTime() - begunNanos
                ? back.thenComposeAsync(done -> round(number + 1), Later.soon(pause))
                : back.thenApply(done -> Attempt.busy(pauseAfter(0)));
    }

    /** Releases where it was granted, and where it may be yet. */
    private CompletableFuture<?> takeBack(Poll.Count<Attempt> count) {
        List<CompletableFuture<Boolean>> releases = new ArrayList<>();
        for (int store = 0; store < nodes.size(); store++) {
            Attempt answer = count.answers().get(store);
            if (!(answer instanceof Attempt.Busy)) {
                Claim taken = ballot.inStore(store, claim);
                ballot.nextRound(store);
                if (answer == null) {
                    nodes.departures(store).begin(taken);
                } else {
                    releases.add(release(store, taken));
                }
            }
        }
        return CompletableFuture.allOf(releases.toArray(new @Nullable CompletableFuture<?>[0]))
                .exceptionally(failure -> null);
    }

    private CompletableFuture<Boolean> release(int store, Claim taken) {
        return Nodes.within(nodes.patience(claim.lease()), nodes.get(store).release(taken))
                // Nobody else knows this owner: it would keep the store for a lease.
                .whenComplete((held, failure) -> nodes.departures(store).goOn(taken, false, held, failure));
    }

    private static int granted(Poll.Count<Attempt> count) {
        return count.of(Attempt.Granted.class::isInstance);
    }

    /** When so many of the busy stores may be free that they are a majority. */
    private Duration retryAfter(Poll.Count<Attempt> count) {
        List<Duration> waits = new ArrayList<>();
        for (Attempt answer : count.answers()) {
            if (answer instanceof Attempt.Busy busy) {
                waits.add(busy.retryAfter());
            }
        }
        Collections.sort(waits);
        return waits.get(Math.min(waits.size(), nodes.majority()) - 1);
    }

    /** @param before how often the votes for the claim have been split before */
    private static Duration pauseAfter(int before) {
        long nanos = ThreadLocalRandom.current().nextLong(PAUSE.toNanos(), 4 * PAUSE.toNanos());
        return Duration.ofNanos(nanos << Math.min(before, MOST_DOUBLINGS));
    }
}
