package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.support.Futures;
import dev.interlock.zookeeper.node.NodeQueue;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * A queue whose sequence numbers have come to their end begins at zero under a new parent. A parent can only be deleted
 * while it is empty: so nobody holds or waits by its numbers, and whoever enters later is behind nobody. The servers
 * delete empty containers in the same way, so Curator's clients know it, too.
 */
final class Renumbering {

    private Renumbering() {}

    /**
     * Deletes a node whose number is out of order, and then its parent. Completes with whether the parent has gone;
     * with false if others stand under it, who will leave.
     */
    static CompletableFuture<Boolean> begin(Session now, String parent, String own) {
        CompletableFuture<Optional<Stat>> stat = now.stat(parent);
        CompletableFuture<List<ACL>> theirs = now.acls(parent);
        CompletableFuture<List<ACL>> ours = now.acls(own);
        CompletableFuture<Boolean> left = now.delete(own);
        return Futures.either(
                Futures.all(List.of(stat, theirs, ours)),
                (done, failure) -> left.thenCompose(gone -> {
                    if (failure != null) {
                        // Whoever had the last number may have deleted the parent.
                        return Failures.is(failure, Code.NONODE)
                                ? CompletableFuture.completedFuture(true)
                                : CompletableFuture.failedFuture(usedUp(parent, failure));
                    }
                    // A parent with data or other rights was made by hand: this client cannot make the same.
                    boolean same =
                            theirs.join().equals(ours.join()) || theirs.join().equals(now.acl(parent));
                    boolean empty = stat.join().map(Stat::getDataLength).orElse(0) == 0;
                    return same && empty
                            ? delete(now, parent)
                            : CompletableFuture.failedFuture(Failures.numbersUsedUp(parent, null));
                }));
    }

    private static CompletableFuture<Boolean> delete(Session now, String parent) {
        return Futures.either(now.delete(parent), (there, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(true);
            }
            return Failures.is(failure, Code.NOTEMPTY)
                    ? now.childrenOrNone(parent).thenCompose(children -> standing(parent, children))
                    : CompletableFuture.failedFuture(usedUp(parent, failure));
        });
    }

    /** Participants leave. What else is there may stay for ever. */
    private static CompletableFuture<Boolean> standing(String parent, List<String> children) {
        return children.isEmpty() || !NodeQueue.ordered(children).isEmpty()
                ? CompletableFuture.completedFuture(false)
                : CompletableFuture.failedFuture(Failures.numbersUsedUp(parent, null));
    }

    private static Throwable usedUp(String parent, Throwable failure) {
        Throwable cause = LockStore.causeOf(failure);
        boolean rightMissing = cause != null && Failures.is(cause.getCause(), Code.NOAUTH);
        return rightMissing ? Failures.numbersUsedUp(parent, failure) : failure;
    }
}
