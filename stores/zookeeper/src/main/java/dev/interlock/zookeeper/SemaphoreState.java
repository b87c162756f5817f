package dev.interlock.zookeeper;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import dev.interlock.support.Futures;
import dev.interlock.zookeeper.node.NodeName;
import dev.interlock.zookeeper.node.NodeQueue;
import dev.interlock.zookeeper.node.Paths;
import dev.interlock.zookeeper.node.SemaphoreCapacity;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * The state of a semaphore at one moment.
 *
 * @param queue the claims that wait or are about to take permits, in order
 * @param held the number of permits that are taken
 * @param capacity the number of permits, taken or not
 * @param isWatched whether the watcher receives the next change of the taken permits
 */
record SemaphoreState(List<NodeName> queue, int held, int capacity, boolean isWatched) {

    /** Reads all of it at once; the watcher, if there is one, receives the next change of the taken permits. */
    static CompletableFuture<SemaphoreState> read(Session now, String path, Claim claim, @Nullable Watcher watcher) {
        CompletableFuture<List<String>> queue = now.childrenOrNone(path + Paths.LOCKS);
        CompletableFuture<List<String>> leases =
                watcher == null ? now.childrenOrNone(path + Paths.LEASES) : watched(now, path + Paths.LEASES, watcher);
        CompletableFuture<Integer> capacity = capacity(now, path, claim);
        return Futures.all(List.of(queue, leases, capacity))
                .thenApply(done -> new SemaphoreState(
                        NodeQueue.ordered(queue.join()), leases.join().size(), capacity.join(), watcher != null));
    }

    /** A missing node cannot be watched, so it is created: the servers remove it when nobody has a permit. */
    private static CompletableFuture<List<String>> watched(Session now, String leases, Watcher watcher) {
        return Futures.either(
                now.children(leases, watcher),
                (children, failure) -> failure == null
                        ? CompletableFuture.completedFuture(children)
                        : Failures.is(failure, Code.NONODE)
                                ? now.containers(leases).thenCompose(created -> now.children(leases, watcher))
                                : CompletableFuture.failedFuture(failure));
    }

    /** Reads the capacity that the semaphore was set to, or else takes the claim's. Reading counts as a use. */
    static CompletableFuture<Integer> capacity(Session now, String path, Claim claim) {
        int own = claim.mode() instanceof Mode.Permits permits ? permits.capacity() : 0;
        String node = path + Paths.CAPACITY;
        return NodeExpiry.withClock(now, now.readIfThere(node), path).thenApply(read -> {
            Optional<SemaphoreCapacity> set = SemaphoreCapacity.of(read, now.clock());
            set.ifPresent(known -> NodeExpiry.prolong(now, node, read.orElseThrow(), known.life()));
            return set.map(SemaphoreCapacity::permits).orElse(own);
        });
    }

    boolean isQueued(@Nullable String node) {
        return queue.stream().anyMatch(each -> each.text().equals(node));
    }

    /** The claims before this node in the queue. */
    List<NodeName> before(@Nullable String node) {
        return queue.stream().takeWhile(each -> !each.text().equals(node)).toList();
    }
}
