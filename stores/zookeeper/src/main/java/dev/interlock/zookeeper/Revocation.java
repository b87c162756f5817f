package dev.interlock.zookeeper;

import dev.interlock.spi.LockId;
import dev.interlock.spi.Wake;
import dev.interlock.support.Futures;
import dev.interlock.zookeeper.node.NodeData;
import dev.interlock.zookeeper.node.NodeQueue;
import dev.interlock.zookeeper.node.Payload;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * Revocation as in Curator's {@code Revoker}: a request to release is a word that is written into the nodes of the
 * holders. A held claim reads its node whenever it is renewed, and watches it from then on. It passes a request on to
 * its leases, and then writes its data again, so that others can see again who holds.
 *
 * <p>Guarded by the event loop.
 */
final class Revocation {

    private final LocalClaim claim;
    private final Supplier<byte[]> data;
    private final Watcher watcher = this::nodeChanged;
    private String path = "";
    private int version;

    /** The version of the node with the last request that was passed on; -1 before the first. */
    private int requestedVersion = -1;

    /**
     * A claim that does not listen yet.
     *
     * @param data returns the data of the claim's node
     */
    Revocation(LocalClaim claim, Supplier<byte[]> data) {
        this.claim = claim;
        this.data = data;
    }

    // ---- requesting

    /** Requests all holders to release. Returns whether there is a holder. */
    static CompletableFuture<Boolean> request(Session now, LockId id, String path) {
        return now.childrenOrNone(path).thenCompose(children -> {
            NodeQueue queue = new NodeQueue(NodeQueue.ofKind(id.kind(), children));
            List<CompletableFuture<Boolean>> written = queue.all().stream()
                    .filter(queue::holds)
                    .map(node -> write(now, path + '/' + node.text()))
                    .toList();
            return Futures.all(written).thenApply(done -> written.stream().anyMatch(CompletableFuture::join));
        });
    }

    /** Writes a request. Returns whether the node still exists. */
    private static CompletableFuture<Boolean> write(Session now, String node) {
        return Futures.either(now.write(node, Payload.revoke(), -1), (stat, failure) -> {
            boolean gone = Failures.is(failure, Code.NONODE);
            return failure == null || gone
                    ? CompletableFuture.completedFuture(!gone)
                    : CompletableFuture.failedFuture(failure);
        });
    }

    // ---- listening

    /**
     * Whether this node of a held claim exists and belongs to this session. A request in it is passed on, and one that
     * comes later will be.
     */
    CompletableFuture<Boolean> listen(Session now, String node) {
        if (!node.equals(path)) {
            path = node;
            requestedVersion = -1;
        }
        return now.readIfThere(node, watcher).thenApply(read -> {
            Optional<NodeData> own = read.filter(there -> now.owns(there.stat()));
            own.filter(there -> node.equals(path)).ifPresent(there -> passOn(now, there));
            return own.isPresent();
        });
    }

    private void passOn(Session now, NodeData read) {
        version = read.stat().getVersion();
        if (claim.isHeld() && version != requestedVersion && Payload.isRevoke(read.data())) {
            requestedVersion = version;
            claim.host.books().wake(new Wake.Requested(claim.id, claim.owner));
            // Without the right to write, or if somebody requests again, the request stays in the node.
            var unused = rewrite(now).exceptionally(failure -> false);
        }
    }

    /** Writes the claim's data, unless somebody has written into the node since it was read. */
    CompletableFuture<Boolean> rewrite(Session now) {
        return now.write(path, data.get(), version).thenApply(stat -> true);
    }

    /** Whether the claim has listened to its node. */
    boolean isListening() {
        return !path.isEmpty();
    }

    private void nodeChanged(WatchedEvent event) {
        if (event.getType() == Watcher.Event.EventType.NodeDataChanged) {
            var unused = claim.host.loop().run(this::readAgain);
        } else if (event.getType() == Watcher.Event.EventType.NodeDeleted) {
            var unused = claim.host.loop().run(() -> deleted(String.valueOf(event.getPath())));
        }
    }

    /** By somebody else, if the claim is still held: the next renewal finds out, and it is due now. */
    private void deleted(String node) {
        if (claim.isHeld() && claim.uses(node)) {
            claim.wake();
        }
    }

    private void readAgain() {
        // The next renewal makes up for a failure.
        var unused = claim.next(() -> {
            Session now = claim.session;
            return now != null && claim.isHeld() && claim.uses(path)
                    ? listen(now, path)
                    : CompletableFuture.completedFuture(false);
        });
    }
}
