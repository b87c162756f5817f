package dev.interlock.group;

import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Operations on many leases at the same time, because each call waits for a store. */
final class Leases {

    private Leases() {}

    /** Begins to release all of them. The future completes with their common outcome. */
    static CompletableFuture<ReleaseOutcome> releaseAsync(List<Lease> leases) {
        return releaseAsync(leases, sum -> {});
    }

    /** The same; {@code note} receives the outcome first, even if the caller has completed the future by itself. */
    static CompletableFuture<ReleaseOutcome> releaseAsync(List<Lease> leases, Consumer<ReleaseOutcome> note) {
        return sumAsync(leases.stream().map(Lease::releaseAsync).toList(), note);
    }

    /**
     * Begins to leave leases to lapse, of which the first one is left already. If one of them refuses, it and those
     * after it are released.
     *
     * @throws UnsupportedOperationException if one of them cannot be left
     * @throws IllegalStateException if one of them cannot be left now
     */
    static CompletableFuture<ReleaseOutcome> lapseAsync(
            CompletionStage<ReleaseOutcome> first, List<Lease> others, Duration after, Consumer<ReleaseOutcome> note) {
        List<CompletionStage<ReleaseOutcome>> outcomes = new ArrayList<>(List.of(first));
        for (Lease lease : others) {
            try {
                outcomes.add(lease.lapseAsync(after));
            } catch (UnsupportedOperationException | IllegalStateException e) {
                var unused = releaseAsync(others.subList(outcomes.size() - 1, others.size()));
                throw e;
            }
        }
        return sumAsync(outcomes, note);
    }

    private static CompletableFuture<ReleaseOutcome> sumAsync(
            List<CompletionStage<ReleaseOutcome>> stages, Consumer<ReleaseOutcome> note) {
        List<CompletableFuture<ReleaseOutcome>> outcomes =
                stages.stream().map(CompletionStage::toCompletableFuture).toList();
        CompletableFuture<ReleaseOutcome> noted = all(outcomes).thenApply(done -> {
            ReleaseOutcome sum =
                    sum(outcomes.stream().map(CompletableFuture::join).toList());
            note.accept(sum);
            return sum;
        });
        return new GroupRelease(outcomes, noted);
    }

    /**
     * Releases all of them at the same time, and waits for their outcomes. This thread waits for the last one, as for a
     * single lease. By then the others have their answers, too, if they are in the same store. So this needs no other
     * thread, and not the callback executor, which this thread may belong to.
     */
    static ReleaseOutcome release(List<Lease> leases) {
        return sum(releaseEach(leases));
    }

    /** The same; returns the outcome of each. */
    static List<ReleaseOutcome> releaseEach(List<Lease> leases) {
        if (leases.isEmpty()) {
            return List.of();
        }
        int last = leases.size() - 1;
        List<CompletionStage<ReleaseOutcome>> begun =
                leases.subList(0, last).stream().map(Lease::releaseAsync).toList();
        ReleaseOutcome ofLast = leases.get(last).release();
        List<ReleaseOutcome> outcomes = new ArrayList<>(leases.size());
        for (CompletionStage<ReleaseOutcome> outcome : begun) {
            outcomes.add(outcome.toCompletableFuture().join());
        }
        outcomes.add(ofLast);
        return outcomes;
    }

    /** Begins to extend all of them. Completes when all calls have ended, with the failure of one if any failed. */
    static CompletableFuture<Void> extend(Collection<Lease> leases, Duration length) {
        List<CompletableFuture<Void>> extensions = new ArrayList<>();
        for (Lease lease : leases) {
            extensions.add(GroupThreads.run(() -> {
                lease.extend(length);
                return null;
            }));
        }
        return all(extensions);
    }

    /** The common outcome: a loss takes precedence over an unconfirmed release, and that over a confirmed one. */
    private static ReleaseOutcome sum(Collection<ReleaseOutcome> outcomes) {
        ReleaseOutcome sum = ReleaseOutcome.ALREADY_RELEASED;
        for (ReleaseOutcome outcome : outcomes) {
            if (outcome.isLost()) {
                return outcome;
            }
            boolean covered = outcome.status() == ReleaseOutcome.Status.ALREADY_RELEASED
                    || sum.status() == ReleaseOutcome.Status.UNCONFIRMED;
            sum = covered ? sum : outcome;
        }
        return sum;
    }

    private static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(new @Nullable CompletableFuture<?>[0]));
    }
}
