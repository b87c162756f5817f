package dev.interlock.testkit.store;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A store that loses answers after it has done what was asked, answers late, loses wakes, and fails or ignores
 * renewals: the n-th decision depends on the seed and n alone.
 */
public final class FlakyStore extends WrappedStore {

    /**
     * How often what goes wrong, each from 0 (never) to 1.
     *
     * @param dropReplies answers of any verb that never come, though the request was executed
     * @param delays answers that come late
     * @param longestDelay how late at most
     * @param loseWakes wakes that never come
     * @param renewals renewals that come to nothing
     */
    public record Rates(
            double dropReplies, double delays, Duration longestDelay, double loseWakes, BadRenewals renewals) {

        /** Nothing goes wrong. */
        public static final Rates NONE = new Rates(0, 0, Duration.ZERO, 0, new BadRenewals(0, 0, Integer.MAX_VALUE));

        /** The same, losing this share of all answers. */
        public Rates withDroppedReplies(double share) {
            return new Rates(share, delays, longestDelay, loseWakes, renewals);
        }

        /** The same, delaying this share of all answers. */
        public Rates withDelays(double share, Duration longest) {
            return new Rates(dropReplies, share, longest, loseWakes, renewals);
        }

        /** The same, losing this share of all wakes. */
        public Rates withLostWakes(double share) {
            return new Rates(dropReplies, delays, longestDelay, share, renewals);
        }

        /** The same, failing this share of all renewals. */
        public Rates withFailedRenewals(double share) {
            return withBadRenewals(new BadRenewals(share, 0, Integer.MAX_VALUE));
        }

        /** The same, with these renewals that come to nothing. */
        public Rates withBadRenewals(BadRenewals bad) {
            return new Rates(dropReplies, delays, longestDelay, loseWakes, bad);
        }
    }

    /**
     * How often a renewal is not executed, each share from 0 (never) to 1.
     *
     * @param fail those that fail at once
     * @param vanish those that are never answered
     * @param longestRun how many in a row, of the same claim: the next one passes
     */
    public record BadRenewals(double fail, double vanish, int longestRun) {}

    private final long seed;
    private final AtomicLong decisions = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong delayed = new AtomicLong();
    private final AtomicLong lostWakes = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong vanished = new AtomicLong();
    private final AtomicLong passed = new AtomicLong();

    /** How many renewals in a row have come to nothing, by claim. */
    private final Map<OwnerId, Integer> badRuns = new ConcurrentHashMap<>();

    private volatile Rates rates;

    /** Flaky by these rates from the first request on; the seed is part of failure reports. */
    public FlakyStore(LockStore inner, long seed, Rates rates) {
        super(inner);
        this.seed = seed;
        this.rates = rates;
    }

    /** A seed for a run that shall differ from the last one. */
    public static long randomSeed() {
        return ThreadLocalRandom.current().nextLong();
    }

    /** Other rates from now on. */
    public void rates(Rates newRates) {
        rates = newRates;
    }

    /** Answers that were lost so far. */
    public long droppedReplies() {
        return dropped.get();
    }

    /** Answers that came late so far. */
    public long delayedReplies() {
        return delayed.get();
    }

    /** Wakes that were lost so far. */
    public long lostWakes() {
        return lostWakes.get();
    }

    /** Renewals that failed so far. */
    public long failedRenewals() {
        return failed.get();
    }

    /** Renewals that vanished so far. */
    public long vanishedRenewals() {
        return vanished.get();
    }

    /** Renewals that were executed so far. */
    public long passedRenewals() {
        return passed.get();
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        BadRenewals bad = rates.renewals();
        double drawn = bad.fail() + bad.vanish() > 0 ? fraction() : 1;
        if (drawn >= bad.fail() + bad.vanish()
                || claims.stream().anyMatch(claim -> badRun(claim) >= bad.longestRun())) {
            passed.incrementAndGet();
            claims.forEach(claim -> badRuns.remove(claim.owner()));
            return super.renew(claims);
        }
        claims.forEach(claim -> badRuns.merge(claim.owner(), 1, Integer::sum));
        if (drawn >= bad.fail()) {
            vanished.incrementAndGet();
            return new CompletableFuture<>();
        }
        failed.incrementAndGet();
        return CompletableFuture.failedFuture(new IOException("Renewal failed by the test; seed=" + seed));
    }

    private int badRun(Claim claim) {
        return badRuns.getOrDefault(claim.owner(), 0);
    }

    @Override
    <T> CompletionStage<T> ask(Verb verb, Supplier<CompletionStage<T>> request) {
        Rates current = rates;
        CompletionStage<T> reply = request.get();
        if (happens(current.dropReplies())) {
            dropped.incrementAndGet();
            return new CompletableFuture<>();
        }
        if (happens(current.delays())) {
            delayed.incrementAndGet();
            return late(reply, (long) (fraction() * current.longestDelay().toNanos()));
        }
        return reply;
    }

    @Override
    void wake(Wake wake, Consumer<Wake> listener) {
        if (happens(rates.loseWakes())) {
            lostWakes.incrementAndGet();
        } else {
            listener.accept(wake);
        }
    }

    private <T> CompletionStage<T> late(CompletionStage<T> reply, long nanos) {
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS)
                .execute(() -> reply.whenComplete((value, failure) -> {
                    if (failure == null) {
                        result.complete(value);
                    } else {
                        result.completeExceptionally(failure);
                    }
                }));
        return result;
    }

    private boolean happens(double share) {
        return share > 0 && fraction() < share;
    }

    /** From 0 to 1, by mixing the bits of the seed and the number of the decision. */
    private double fraction() {
        long bits = seed + decisions.incrementAndGet() * 0x9E3779B97F4A7C15L;
        bits = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
        return ((bits ^ (bits >>> 31)) >>> 11) * 0x1.0p-53;
    }

    @Override
    public String toString() {
        return "FlakyStore[seed=" + seed + ", dropped=" + dropped + ", delayed=" + delayed + ", lostWakes=" + lostWakes
                + ", failedRenewals=" + failed + ", vanishedRenewals=" + vanished + ", passedRenewals=" + passed + "]";
    }
}
