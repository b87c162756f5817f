package dev.interlock.zookeeper;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.support.Futures;
import dev.interlock.zookeeper.node.LatchCount;
import dev.interlock.zookeeper.node.NodeData;
import dev.interlock.zookeeper.node.NodeName;
import dev.interlock.zookeeper.node.NodeName.Role;
import dev.interlock.zookeeper.node.Paths;
import dev.interlock.zookeeper.node.Payload;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * A claim that waits for a latch to reach zero: a node under {@code waiters}, for people who look, and a watch on the
 * gate, which is deleted together with the count. A grant holds nothing, so the claim is never {@code HELD}.
 */
final class LatchClaim extends LocalClaim {

    private final String gate;
    private @Nullable String node;

    LatchClaim(Host host, Claim claim) {
        super(host, claim);
        this.gate = path + Paths.GATE;
    }

    @Override
    CompletableFuture<Attempt> acquire(Session now, QueuedAnswer<Attempt> answer) {
        if (!state().isStored()) {
            enter(now);
            node = null;
        }
        return isClosed(now).thenCompose(closed -> {
            if (!closed) {
                return pass(now);
            }
            if (claim.waited() == null || !answer.isWanted()) {
                return CompletableFuture.completedFuture(Attempt.busy(RETRY));
            }
            return node == null ? create(now, TRIES) : waitInQueue();
        });
    }

    private CompletableFuture<Boolean> isClosed(Session now) {
        return now.readCertainly(gate, claim.waited() == null ? null : watching(gate))
                .thenCompose(read -> read.isEmpty()
                        ? CompletableFuture.completedFuture(false)
                        : NodeExpiry.withClock(now, now.readIfThere(path + Paths.COUNT), path)
                                .thenApply(count -> isAboveZero(now, count)));
    }

    /** The count does not expire as long as somebody waits. */
    private boolean isAboveZero(Session now, Optional<NodeData> read) {
        Optional<LatchCount> count = LatchCount.of(read, now.clock(), path + Paths.COUNT);
        count.ifPresent(left -> NodeExpiry.prolong(now, path + Paths.COUNT, read.orElseThrow(), left.life()));
        return count.isPresent();
    }

    private CompletableFuture<Attempt> pass(Session now) {
        end("the latch is at zero");
        CompletableFuture<Boolean> left = node == null ? CompletableFuture.completedFuture(true) : delete(now);
        return left.thenApply(done -> Attempt.granted(1));
    }

    private CompletableFuture<Attempt> create(Session now, int tries) {
        String prefix = path + Paths.WAITERS + '/' + NodeName.prefix(owner) + Role.WAIT.text;
        CompletableFuture<Session.CreatedNode> creation =
                now.create(prefix, Payload.of(claim, 0).encode(), CreateMode.EPHEMERAL_SEQUENTIAL);
        return Futures.either(creation, (created, failure) -> {
            if (failure == null) {
                node = Paths.name(created.path());
                // The gate may have opened before the node was there: then the claim stays ready.
                return state() == State.READY ? CompletableFuture.completedFuture(keepPlace()) : waitInQueue();
            }
            if (Failures.is(failure, Code.NONODE) && tries > 0) {
                return now.containers(path + Paths.WAITERS).thenCompose(done -> create(now, tries - 1));
            }
            deleteLater();
            return CompletableFuture.failedFuture(failure);
        });
    }

    @Override
    public void nodeChanged(EventType type, String nodePath) {
        if (type == EventType.NodeDeleted && (state() == State.ENTERING || isWaiting())) {
            ready();
            wake();
        }
    }

    @Override
    CompletableFuture<Boolean> exists(Session now) {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    CompletableFuture<Boolean> rewrite(Session now) {
        return CompletableFuture.completedFuture(true);
    }

    @Override
    CompletableFuture<Boolean> delete(Session now) {
        return node == null ? CompletableFuture.completedFuture(false) : now.delete(nodePath());
    }

    @Override
    List<String> nodes() {
        return List.of();
    }

    @Override
    boolean uses(String nodePath) {
        return nodePath.equals(nodePath());
    }

    private String nodePath() {
        return path + Paths.WAITERS + '/' + node;
    }

    @Override
    void reconnected() {
        // A watch on a node that was deleted meanwhile fires when the connection is back.
    }
}
