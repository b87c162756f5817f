package dev.interlock.simulation;

import dev.interlock.LockStatus;
import dev.interlock.quorum.QuorumStore;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The quorum of a process, as its engine sees it: each grant that it learns of is reported. */
final class QuorumView implements LockStore {

    private final QuorumStore quorum;
    private final Timeline timeline;
    private final Majority majority;

    QuorumView(QuorumStore quorum, Timeline timeline, Majority majority) {
        this.quorum = quorum;
        this.timeline = timeline;
        this.majority = majority;
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        long sinceNanos = timeline.now();
        return quorum.acquire(claim).thenApply(attempt -> {
            if (attempt instanceof Attempt.Granted granted) {
                majority.grants(claim.id(), claim.owner(), granted.fence(), sinceNanos);
            }
            return attempt;
        });
    }

    @Override
    public CompletionStage<Boolean> execute(Command command) {
        return quorum.execute(command);
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return quorum.release(claim);
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        return quorum.renew(claims);
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return quorum.inspect(id);
    }

    @Override
    public void onWake(Consumer<Wake> listener) {
        quorum.onWake(listener);
    }

    @Override
    public Set<Capability> capabilities() {
        return quorum.capabilities();
    }

    @Override
    public void close() {
        quorum.close();
    }
}
