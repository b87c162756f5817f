package dev.interlock.zookeeper;

import dev.interlock.zookeeper.node.NodeData;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Persistent nodes expire some time after their last use: a use of a node that is no longer young writes the same data
 * into it again.
 */
final class NodeExpiry {

    /** A node is young in the first quarter of its life. */
    private static final int YOUNG = 4;

    private NodeExpiry() {}

    /**
     * Completes with the same node when its age is known: a session that has not created a node yet does not know the
     * time of the servers.
     *
     * @param lock the path of the lock that the node belongs to
     */
    static CompletableFuture<Optional<NodeData>> withClock(
            Session now, CompletableFuture<Optional<NodeData>> reading, String lock) {
        return reading.thenCompose(read -> read.isEmpty()
                ? CompletableFuture.completedFuture(read)
                : now.learnClock(lock).thenApply(known -> read));
    }

    /**
     * Marks the node as used. Another use or a change may come first. Without the right to write the node it expires in
     * its time.
     */
    static void prolong(Session now, String path, NodeData node, Duration life) {
        if (node.isOlder(life.dividedBy(YOUNG), now.clock())) {
            var unused = now.write(path, node.data(), node.stat().getVersion()).exceptionally(failure -> node.stat());
        }
    }
}
