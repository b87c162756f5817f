package dev.interlock.quorum;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A renewal of many claims. A claim is held if a majority has renewed it, and lost if no majority can have it any more.
 * The renewal completes as soon as every claim is decided; a claim that is not decided in time is missing from the
 * result. If the caller cancels the renewal, it completes with the claims that are decided by then. So a claim that
 * needs the answer of a silent store does not cost the others their renewal.
 */
final class QuorumRenewal extends CompletableFuture<Map<Claim, Renewal>> {

    private final Nodes nodes;
    private final Map<Claim, QuorumClaim> claims;

    /** The registers of claims that are held for long. Their results do not count: the next renewal is soon enough. */
    private final List<Claim> registers = new ArrayList<>();

    private final List<CompletableFuture<Map<Claim, Renewal>>> requests;

    private QuorumRenewal(Nodes nodes, Collection<Claim> claims, Function<Claim, QuorumClaim> known) {
        this.nodes = nodes;
        this.claims = new LinkedHashMap<>();
        for (Claim claim : claims) {
            QuorumClaim ofClaim = known.apply(claim);
            this.claims.put(claim, ofClaim);
            if (ofClaim.renewsRegister(claim.lease())) {
                registers.add(FenceRegister.written(claim, ofClaim.fence()));
            }
        }
        this.requests =
                nodes.forEach(store -> nodes.get(store).renew(inStore(store)).toCompletableFuture());
    }

    /** @param known the state of a claim */
    static QuorumRenewal start(Nodes nodes, Collection<Claim> claims, Function<Claim, QuorumClaim> known) {
        QuorumRenewal renewal = new QuorumRenewal(nodes, claims, known);
        renewal.collect();
        return renewal;
    }

    private void collect() {
        for (CompletableFuture<?> request : requests) {
            // The request itself is counted: a store of several servers completes it with some answers when cancelled.
            var unused = nodes.time().within(nodes.timeout(), request);
        }
        var unusedToo = Responses.collect(requests, this::decide).whenComplete((decided, failure) -> {
            if (failure == null) {
                complete(decided);
            } else {
                completeExceptionally(failure);
            }
        });
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        // The last request completes this future, here or on the thread that is about to count an answer.
        requests.forEach(request -> request.cancel(mayInterrupt));
        return isCancelled();
    }

    private List<Claim> inStore(int store) {
        List<Claim> renewed = new ArrayList<>(registers);
        claims.forEach((claim, known) -> renewed.add(known.inStore(store, claim)));
        return renewed;
    }

    private @Nullable Map<Claim, Renewal> decide(Responses.Tally<Map<Claim, Renewal>> tally) {
        if (tally.received() == 0) {
            return null;
        }
        Map<Claim, Renewal> decided = new HashMap<>();
        claims.forEach((claim, known) -> {
            Renewal outcome = decide(claim, known, tally.responses());
            if (outcome != null) {
                decided.put(claim, outcome);
            }
        });
        return tally.open() == 0 || decided.size() == claims.size() ? decided : null;
    }

    private @Nullable Renewal decide(Claim claim, QuorumClaim known, List<@Nullable Map<Claim, Renewal>> responses) {
        int held = 0;
        List<Renewal> lost = new ArrayList<>();
        for (int store = 0; store < nodes.size(); store++) {
            Map<Claim, Renewal> ofStore = responses.get(store);
            Renewal outcome = ofStore == null ? null : ofStore.get(known.inStore(store, claim));
            if (outcome == Renewal.HELD) {
                held++;
            } else if (outcome != null) {
                lost.add(outcome);
            }
        }
        if (held >= nodes.majority()) {
            return Renewal.HELD;
        }
        return nodes.size() - lost.size() < nodes.majority() ? cause(lost) : null;
    }

    private static Renewal cause(List<Renewal> lost) {
        if (lost.contains(Renewal.FORCED)) {
            return Renewal.FORCED;
        }
        return lost.contains(Renewal.TAKEN) ? Renewal.TAKEN : Renewal.DELETED;
    }
}
