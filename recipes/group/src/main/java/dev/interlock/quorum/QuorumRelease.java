package dev.interlock.quorum;

import dev.interlock.LockStatus;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The release of a claim in all stores: confirmed by a majority, and repeated where it is not confirmed. */
final class QuorumRelease {

    private final Nodes nodes;

    QuorumRelease(Nodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Releases a claim of this client.
     *
     * @return whether a majority held it; fails if too few stores responded
     */
    CompletableFuture<Boolean> release(Claim claim, QuorumClaim known) {
        return decide(nodes.forEach(store -> {
            Claim inStore = known.inStore(store, claim);
            // Read before the release: an acquire that is answered in the meantime may still follow the release.
            boolean mayCome = known.isPending(store);
            if (known.withdraw(store)) {
                return CompletableFuture.completedFuture(false);
            }
            return nodes.time()
                    .within(nodes.timeout(), nodes.get(store).release(inStore))
                    .whenComplete(
                            (held, failure) -> nodes.pendingReleases(store).repeat(inStore, mayCome, held, failure))
                    .thenApply(held -> known.released(store, held));
        }));
    }

    /** Releases a claim whose owner in the stores this client does not know: looks for it first. */
    CompletableFuture<Boolean> releaseFound(Claim claim) {
        return decide(nodes.forEach(store -> {
            LockStore node = nodes.get(store);
            return nodes.time()
                    .within(nodes.timeout(), node.inspect(claim.id()))
                    .thenCompose(status -> releaseIn(node, claim, status));
        }));
    }

    private CompletableFuture<Boolean> releaseIn(LockStore node, Claim claim, LockStatus status) {
        List<String> owners = new ArrayList<>();
        status.holders().forEach(holder -> owners.add(holder.owner()));
        status.waiters().forEach(waiter -> owners.add(waiter.owner()));
        CompletableFuture<Boolean> held = CompletableFuture.completedFuture(false);
        for (String text : owners) {
            OwnerId owner = new OwnerId(text);
            if (claim.lapses() && Owners.ofQuorum(owner).equals(claim.owner().left())) {
                held = CompletableFuture.completedFuture(true);
            } else if (Owners.ofQuorum(owner).equals(claim.owner())) {
                CompletableFuture<Boolean> release =
                        nodes.time().within(nodes.timeout(), node.release(Owners.withOwner(claim, owner)));
                held = held.thenCombine(release, Boolean::logicalOr);
            }
        }
        return held;
    }

    /** Completes as soon as it is certain whether a majority held the claim. */
    private CompletableFuture<Boolean> decide(List<CompletableFuture<Boolean>> releases) {
        return Responses.collect(releases, tally -> {
            int held = tally.count(answer -> answer);
            if (held >= nodes.majority()) {
                return true;
            }
            // A store that failed may have held it.
            int notHeld = tally.count(answer -> !answer);
            return nodes.size() - notHeld < nodes.majority() ? false : null;
        });
    }
}
