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

/** What is done to many leases at the same time, because each call waits for a store. */
final class Leases {

    private Leases() {}

    /** Begins to release all of them; done with what all of them together came to. */
    static CompletableFuture<ReleaseOutcome> releaseAsync(List<Lease> leases) {
        return releaseAsync(leases, sum -> {});
    }

    /** The same; {@code note} gets the outcome first, also if the caller ends the future before. */
    static CompletableFuture<ReleaseOutcome> releaseAsync(List<Lease> leases, Consumer<ReleaseOutcome> note) {
        List<CompletableFuture<ReleaseOutcome>> outcomes = leases.stream()
                .map(lease -> lease.releaseAsync().toCompletableFuture())
                .toList();
        CompletableFuture<ReleaseOutcome> noted = all(outcomes).thenApply(done -> {
            ReleaseOutcome sum =
                    sum(outcomes.stream().map(CompletableFuture::join).toList());
            note.accept(sum);
            return sum;
        });
        return new GroupRelease(outcomes, noted);
    }

    /**
     * Releases all of them at the same time, and waits for what they came to. The last one waits in this thread, as a
     * single lease does; then the others have their answers, too, if they are of the same store. So this needs no other
     * thread, and not the callback executor, which this thread may belong to.
     */
    static ReleaseOutcome release(List<Lease> leases) {
        int last = leases.size() - 1;
        List<CompletionStage<ReleaseOutcome>> begun =
                leases.subList(0, last).stream().map(Lease::releaseAsync).toList();
        ReleaseOutcome ofLast = leases.get(last).release();
        List<ReleaseOutcome> outcomes = new ArrayList<>(leases.size());
        for (CompletionStage<ReleaseOutcome> outcome : begun) {
            outcomes.add(outcome.toCompletableFuture().join());
        }
        outcomes.add(ofLast);
        return sum(outcomes);
    }

    /** Begins to extend all of them; fails as the first that failed, when all have ended. */
    static CompletableFuture<Void> extend(Collection<Lease> leases, Duration length) {
        List<CompletableFuture<Void>> extensions = new ArrayList<>();
        for (Lease lease : leases) {
            extensions.add(Errands.run(() -> {
                lease.extend(length);
                return null;
            }));
        }
        return all(extensions);
    }

    /**
     * What all of them together came to: a loss counts more than an answer that is missing, and that more than a
     * release.
     */
    private static ReleaseOutcome sum(Collection<ReleaseOutcome> outcomes) {
        ReleaseOutcome sum = ReleaseOutcome.ALREADY_RELEASED;
        for (ReleaseOutcome outcome : outcomes) {
            if (outcome.isLost()) {
                return outcome;
            }
            boolean said = outcome.status() == ReleaseOutcome.Status.ALREADY_RELEASED
                    || sum.status() == ReleaseOutcome.Status.UNCONFIRMED;
            sum = said ? sum : outcome;
        }
        return sum;
    }

    private static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(new @Nullable CompletableFuture<?>[0]));
    }
}
