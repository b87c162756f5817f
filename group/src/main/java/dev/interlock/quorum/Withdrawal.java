package dev.interlock.quorum;

import dev.interlock.LockStatus;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The release of a claim in all stores: confirmed by a majority, and gone on with where it is not confirmed. */
final class Withdrawal {

    private final Nodes nodes;

    Withdrawal(Nodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Releases a claim of this client.
     *
     * @return whether a majority held it; fails if too few answered
     */
    CompletableFuture<Boolean> release(Claim claim, Ballot ballot) {
        return tally(nodes.each(store -> {
            Claim inStore = ballot.inStore(store, claim);
            // Before it is released: an acquire that is answered meanwhile may have come after that.
            boolean mayCome = ballot.isUnknown(store);
            return Nodes.within(nodes.patience(), nodes.get(store).release(inStore))
                    .whenComplete((held, failure) -> nodes.departures(store).goOn(inStore, mayCome, held, failure))
                    .thenApply(held -> ballot.released(store, held));
        }));
    }

    /** Releases a claim of which this client does not know the owner in the stores: it is looked for. */
    CompletableFuture<Boolean> releaseFound(Claim claim) {
        return tally(nodes.each(store -> {
            LockStore node = nodes.get(store);
            return Nodes.within(nodes.patience(), node.inspect(claim.id()))
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
            if (Owners.outside(owner).equals(claim.owner())) {
                CompletableFuture<Boolean> release =
                        Nodes.within(nodes.patience(), node.release(Owners.rename(claim, owner)));
                held = held.thenCombine(release, Boolean::logicalOr);
            }
        }
        return held;
    }

    /** True or false as soon as it is certain which. */
    private CompletableFuture<Boolean> tally(List<CompletableFuture<Boolean>> releases) {
        return Poll.take(releases, count -> {
            int held = count.of(answer -> answer);
            if (held >= nodes.majority()) {
                return true;
            }
            // What failed may have held it.
            int notHeld = count.of(answer -> !answer);
            return nodes.size() - notHeld < nodes.majority() ? false : null;
        });
    }
}
