package dev.interlock.zookeeper;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * A semaphore as it was seen.
 *
 * @param line who waits or is about to take, in order
 * @param held how many permits are taken
 * @param capacity how many there are, taken or not
 * @param isWatched whether the next change of what is taken will be told
 */
record Semaphore(List<NodeName> line, int held, int capacity, boolean isWatched) {

    /** Looks at all of it in one go; tells the watcher of the next change of what is taken, if there is one. */
    static CompletableFuture<Semaphore> look(Session now, String path, Claim claim, @Nullable Watcher watcher) {
        CompletableFuture<List<String>> line = now.childrenOrNone(path + Paths.LOCKS);
        CompletableFuture<List<String>> leases =
                watcher == null ? now.childrenOrNone(path + Paths.LEASES) : watched(now, path + Paths.LEASES, watcher);
        CompletableFuture<Integer> capacity = capacity(now, path, claim);
        return line.thenCombine(
                        leases,
                        (waiting, taken) -> new Semaphore(Line.ordered(waiting), taken.size(), 0, watcher != null))
                .thenCombine(capacity, (seen, most) -> new Semaphore(seen.line, seen.held, most, seen.isWatched));
    }

    /** What is not there cannot be watched: the servers remove it when nobody has a permit. */
    private static CompletableFuture<List<String>> watched(Session now, String leases, Watcher watcher) {
        return Answers.either(
                now.children(leases, watcher),
                (children, failure) -> failure == null
                        ? CompletableFuture.completedFuture(children)
                        : Failures.is(failure, Code.NONODE)
                                ? now.containers(leases).thenCompose(made -> now.children(leases, watcher))
                                : CompletableFuture.failedFuture(failure));
    }

    /** What it was set to, or else what the claim says. To ask is a use. */
    static CompletableFuture<Integer> capacity(Session now, String path, Claim claim) {
        int own = claim.mode() instanceof Mode.Permits permits ? permits.capacity() : 0;
        String node = path + Paths.CAPACITY;
        return Life.dated(now, now.readIfThere(node), path).thenApply(read -> {
            Optional<Capacity> set = Capacity.of(read, now.clock());
            set.ifPresent(known -> Life.prolong(now, node, read.orElseThrow(), known.life()));
            return set.map(Capacity::permits).orElse(own);
        });
    }

    boolean hasPlace(@Nullable String place) {
        return line.stream().anyMatch(node -> node.text().equals(place));
    }

    /** Those that come before this place. */
    List<NodeName> before(@Nullable String place) {
        return line.stream().takeWhile(node -> !node.text().equals(place)).toList();
    }
}
