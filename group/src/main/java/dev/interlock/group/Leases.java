package dev.interlock.group;

import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What is done to many leases at the same time, because each call waits for a store. */
final class Leases {

    private Leases() {}

    /** Begins to release all of them; the outcomes, in the same order. What one release does is nothing to the others. */
    static CompletableFuture<List<ReleaseOutcome>> release(Collection<Lease> leases) {
        List<CompletableFuture<ReleaseOutcome>> outcomes = leases.stream()
                .map(lease -> Errands.run(lease::release).exceptionally(failed -> ReleaseOutcome.UNCONFIRMED))
                .toList();
        return all(outcomes)
                .thenApply(
                        done -> outcomes.stream().map(CompletableFuture::join).toList());
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

    /** What all of them together came to: a loss counts more than an answer that is missing. */
    static ReleaseOutcome sum(Collection<ReleaseOutcome> outcomes) {
        ReleaseOutcome unconfirmed = null;
        for (ReleaseOutcome outcome : outcomes) {
            if (outcome.isLost()) {
                return outcome;
            }
            unconfirmed = outcome.status() == ReleaseOutcome.Status.UNCONFIRMED ? outcome : unconfirmed;
        }
        return unconfirmed == null ? ReleaseOutcome.RELEASED : unconfirmed;
    }

    private static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(new @Nullable CompletableFuture<?>[0]));
    }
}
