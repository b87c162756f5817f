package dev.interlock.quorum;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A renewal of many claims: held is what a majority has renewed, lost what no majority can have any more. It ends as
 * soon as it is decided for each claim. What is not decided in time is missing; whoever gives up before gets what is
 * decided by then: a claim that needs the answer of a silent store costs the others nothing.
 */
final class Census extends CompletableFuture<Map<Claim, Renewal>> {

    private final Nodes nodes;
    private final Map<Claim, Ballot> claims;

    /** Those of the claims that are held for long. Nobody asks what became of them: the next renewal is soon enough. */
    private final List<Claim> registers = new ArrayList<>();

    private final List<CompletableFuture<Map<Claim, Renewal>>> requests;

    Census(Nodes nodes, Collection<Claim> claims, Function<Claim, Ballot> ballots) {
        this.nodes = nodes;
        this.claims = new HashMap<>();
        for (Claim claim : claims) {
            Ballot ballot = ballots.apply(claim);
            this.claims.put(claim, ballot);
            if (ballot.renewsRegister(claim.lease())) {
                registers.add(FenceRegister.written(claim, ballot.fence()));
            }
        }
        this.requests =
                nodes.each(store -> nodes.get(store).renew(inStore(store)).toCompletableFuture());
    }

    CompletableFuture<Map<Claim, Renewal>> take() {
        for (CompletableFuture<?> request : requests) {
            // The request itself is counted: a store of several servers has the answers of some when it is given up.
            var unused = Nodes.within(nodes.patience(), request);
        }
        var unusedToo = Poll.take(requests, this::decide).whenComplete((decided, failure) -> {
            if (failure == null) {
                complete(decided);
            } else {
                completeExceptionally(failure);
            }
        });
        return this;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        // The last of them completes this one, here, or on the thread that is just about to count an answer.
        requests.forEach(request -> request.cancel(mayInterrupt));
        return isCancelled();
    }

    private List<Claim> inStore(int store) {
        List<Claim> renamed = new ArrayList<>(registers);
        claims.forEach((claim, ballot) -> renamed.add(ballot.inStore(store, claim)));
        return renamed;
    }

    private @Nullable Map<Claim, Renewal> decide(Poll.Count<Map<Claim, Renewal>> count) {
        if (count.answered() == 0) {
            return null;
        }
        Map<Claim, Renewal> decided = new HashMap<>();
        claims.forEach((claim, ballot) -> {
            Renewal answer = decide(claim, ballot, count.answers());
            if (answer != null) {
                decided.put(claim, answer);
            }
        });
        return count.open() == 0 || decided.size() == claims.size() ? decided : null;
    }

    private @Nullable Renewal decide(Claim claim, Ballot ballot, List<@Nullable Map<Claim, Renewal>> answers) {
        int held = 0;
        List<Renewal> gone = new ArrayList<>();
        for (int store = 0; store < nodes.size(); store++) {
            Map<Claim, Renewal> ofStore = answers.get(store);
            Renewal answer = ofStore == null ? null : ofStore.get(ballot.inStore(store, claim));
            if (answer == Renewal.HELD) {
                held++;
            } else if (answer != null) {
                gone.add(answer);
            }
        }
        if (held >= nodes.majority()) {
            return Renewal.HELD;
        }
        return nodes.size() - gone.size() < nodes.majority() ? cause(gone) : null;
    }

    private static Renewal cause(List<Renewal> gone) {
        if (gone.contains(Renewal.FORCED)) {
            return Renewal.FORCED;
        }
        return gone.contains(Renewal.TAKEN) ? Renewal.TAKEN : Renewal.DELETED;
    }
}
