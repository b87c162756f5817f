package dev.interlock.zookeeper;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.support.EventLoop;
import dev.interlock.support.Futures;
import dev.interlock.zookeeper.node.NodeName;
import dev.interlock.zookeeper.node.NodeQueue;
import dev.interlock.zookeeper.node.Paths;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The end of claims whose nodes have to be searched for: claims of another client, of another library, and claims of
 * this client with a request of unknown outcome. The last are <em>pending</em>: their nodes are deleted as soon as
 * there is a connection, and again until ZooKeeper says that nothing is left.
 *
 * <p>Guarded by the event loop.
 */
final class NodeRemoval {

    /** How long the mark of a forced release exists, if this client lives so long. */
    private static final Duration MARK = Duration.ofMinutes(1);

    private static final Duration PAUSE = Duration.ofMillis(500);

    /** The claims of this client, whose present nodes are to be spared. */
    interface InUse {

        /** Whether the claim of this owner creates a node whose name is not known yet. */
        boolean isEntering(OwnerId owner);

        /** Whether the claim of this owner uses this node. */
        boolean uses(OwnerId owner, String nodePath);
    }

    private final EventLoop loop;
    private final Paths paths;
    private final Supplier<@Nullable Session> present;
    private final InUse inUse;
    private final Set<Claim> pending = new LinkedHashSet<>();
    private boolean scheduled;

    NodeRemoval(EventLoop loop, Paths paths, Supplier<@Nullable Session> present, InUse inUse) {
        this.loop = loop;
        this.paths = paths;
        this.present = present;
        this.inUse = inUse;
    }

    // ---- pending claims

    void add(Claim claim) {
        pending.add(claim);
        schedule();
    }

    private void schedule() {
        if (!scheduled && !pending.isEmpty()) {
            scheduled = true;
            var unused = loop.later(PAUSE, () -> {
                scheduled = false;
                removePending();
                schedule();
            });
        }
    }

    /** Tries at once, if there is a connection. */
    void removePending() {
        Session now = present.get();
        if (now == null) {
            return;
        }
        for (Claim claim : List.copyOf(pending)) {
            if (!inUse.isEntering(claim.owner())) {
                var unused = deleteAll(now, claim).whenComplete((there, failure) -> {
                    if (failure == null) {
                        pending.remove(claim);
                    }
                });
            }
        }
    }

    // ---- one claim

    /**
     * Releases a claim that this client does not know. Returns whether it was held. A holder that is released by force
     * is marked first, so that its owner learns the cause.
     */
    CompletableFuture<Boolean> release(Session now, Claim claim) {
        return find(now, claim).thenCompose(found -> {
            boolean held = found.stream().anyMatch(Found::holds);
            CompletableFuture<Boolean> ready =
                    held && claim.forced() ? markForced(now, claim.owner()) : CompletableFuture.completedFuture(true);
            return ready.thenCompose(done -> delete(now, found)).thenApply(there -> there && held);
        });
    }

    /** Deletes all nodes of the owner but those that its claim uses now. Returns whether there was one. */
    CompletableFuture<Boolean> deleteAll(Session now, Claim claim) {
        return find(now, claim)
                .thenCompose(found -> delete(
                        now,
                        found.stream()
                                .filter(each -> !inUse.uses(claim.owner(), each.path()))
                                .toList()));
    }

    private record Found(String path, boolean holds) {}

    /** Finds the nodes of the owner, wherever a claim of this kind has them. */
    private CompletableFuture<List<Found>> find(Session now, Claim claim) {
        // A server that lags behind may not know them yet.
        CompletableFuture<Boolean> proved = now.prove("/");
        List<CompletableFuture<List<Found>>> looks = paths.ofClaims(claim.id()).stream()
                .map(parent -> find(now, claim, parent))
                .toList();
        return proved.thenCombine(Futures.all(looks), (done, answered) -> looks.stream()
                .flatMap(look -> look.join().stream())
                .toList());
    }

    private CompletableFuture<List<Found>> find(Session now, Claim claim, String parent) {
        boolean permits = parent.endsWith(Paths.LEASES) && claim.id().kind() == LockKind.SEMAPHORE;
        boolean lock = parent.equals(paths.of(claim.id()));
        return now.childrenOrNone(parent).thenApply(children -> {
            NodeQueue queue = new NodeQueue(NodeQueue.ordered(children));
            return queue.all().stream()
                    .filter(NodeName.isOf(claim.owner()))
                    .map(node -> new Found(parent + '/' + node.text(), permits || (lock && queue.holds(node))))
                    .toList();
        });
    }

    private static CompletableFuture<Boolean> delete(Session now, List<Found> found) {
        List<CompletableFuture<Boolean>> deletions =
                found.stream().map(each -> now.delete(each.path())).toList();
        return Futures.all(deletions).thenApply(done -> deletions.stream().anyMatch(CompletableFuture::join));
    }

    /**
     * Marks an owner as released by force. The mark is a container, which the servers remove some time after the node
     * in it; that node goes with this client at the latest. Without the right to create it there is no mark.
     */
    private CompletableFuture<Boolean> markForced(Session now, OwnerId owner) {
        String mark = paths.forced(owner);
        return now.containers(mark)
                .thenCompose(done -> now.create(mark + "/by", new byte[0], CreateMode.EPHEMERAL))
                .handle((created, failure) -> {
                    if (failure == null) {
                        var unused =
                                loop.later(MARK, () -> now.delete(mark + "/by").exceptionally(gone -> false));
                    }
                    return failure == null || Failures.is(failure, Code.NODEEXISTS);
                });
    }
}
