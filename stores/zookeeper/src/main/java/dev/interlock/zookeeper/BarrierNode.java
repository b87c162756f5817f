package dev.interlock.zookeeper;

import dev.interlock.spi.Printable;
import dev.interlock.support.Futures;
import dev.interlock.zookeeper.node.NodeData;
import dev.interlock.zookeeper.node.Paths;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The node of a barrier that somebody sets, and that keeps others waiting as long as it exists; and one who waits. The
 * methods are called on the event loop, which guards the fields.
 */
final class BarrierNode implements NodeListener {

    private final Barriers barriers;
    private final String name;
    private final String path;
    private final Change change = new Change();
    private @Nullable Session watching;

    /** Any thread may call it. */
    BarrierNode(Barriers barriers, String name) {
        this.barriers = barriers;
        this.name = name;
        this.path = barriers.path(name);
    }

    /** Creates the node, unless it exists. */
    CompletableFuture<Boolean> set() {
        return barriers.session().thenCompose(now -> set(now, LocalClaim.TRIES));
    }

    private CompletableFuture<Boolean> set(Session now, int tries) {
        return Futures.either(now.create(path, new byte[0], CreateMode.PERSISTENT), (created, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(true);
            }
            if (Failures.is(failure, Code.NODEEXISTS)) {
                return isSet(now, null);
            }
            if (Failures.is(failure, Code.NONODE) && tries > 0) {
                return now.containers(Paths.parent(path)).thenCompose(done -> set(now, tries - 1));
            }
            return CompletableFuture.failedFuture(failure);
        });
    }

    /** Deletes the node, if it exists. */
    CompletableFuture<Boolean> remove() {
        return barriers.session().thenCompose(now -> isSet(now, null).thenCompose(set -> now.delete(path)));
    }

    /** Whether the node exists. */
    CompletableFuture<Boolean> isSet() {
        return barriers.session().thenCompose(now -> isSet(now, null));
    }

    private CompletableFuture<Boolean> isSet(Session now, @Nullable Watcher watcher) {
        return now.readCertainly(path, watcher).thenApply(read -> {
            read.ifPresent(this::mustBeABarrier);
            return read.isPresent();
        });
    }

    /** A barrier has no children. */
    private void mustBeABarrier(NodeData node) {
        if (node.stat().getNumChildren() > 0) {
            throw new IllegalStateException("The name of a barrier must be used for nothing else on the same path, but"
                    + " its node is that of a lock, or of another recipe; take another name: name=" + Printable.of(name)
                    + ", path="
                    + path);
        }
    }

    /** Looks whether the node has gone. */
    CompletableFuture<BarrierView> look() {
        CompletableFuture<Boolean> next = change.next();
        return barriers.session().thenCompose(now -> {
            watching = now;
            barriers.attend(now, change);
            return isSet(now, barriers.watch(path, this)).thenApply(set -> new BarrierView(!set, next));
        });
    }

    /** Waits no longer. */
    CompletableFuture<Boolean> dismiss() {
        barriers.dismiss(change);
        Session last = watching;
        if (last != null) {
            barriers.unwatch(last, path, this);
        }
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public void nodeChanged(EventType type, String nodePath) {
        change.signal();
    }
}
