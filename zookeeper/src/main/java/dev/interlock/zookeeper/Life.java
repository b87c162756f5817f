package dev.interlock.zookeeper;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that no session ends count for a while after their last use. A use of one that is not young any more writes the
 * same into it again.
 */
final class Life {

    private static final int YOUNG = 4;

    private Life() {}

    /**
     * The same node of this lock, when it is known how old it is: a session that has made no node yet does not know
     * what time it is on the servers.
     */
    static CompletableFuture<Optional<Session.Read>> dated(
            Session now, CompletableFuture<Optional<Session.Read>> reading, String lock) {
        return reading.thenCompose(read -> read.isEmpty()
                ? CompletableFuture.completedFuture(read)
                : now.learnClock(lock).thenApply(known -> read));
    }

    /** How old it is nobody knows without a clock of the servers: then it is new. */
    static boolean isOlder(Session.Read node, Duration age, @Nullable ServerClock clock) {
        return clock != null && clock.since(node.stat.getMtime()).compareTo(age) >= 0;
    }

    /** It is used. Another use or a change may be faster, and without the right to write it ends when it ends. */
    static void prolong(Session now, String path, Session.Read node, Duration life) {
        if (isOlder(node, life.dividedBy(YOUNG), now.clock())) {
            var unused = now.write(path, node.data, node.stat.getVersion()).exceptionally(failure -> node.stat);
        }
    }
}
