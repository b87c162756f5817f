package dev.interlock.zookeeper;

import dev.interlock.spi.OwnerId;
import dev.interlock.support.Futures;
import dev.interlock.zookeeper.node.NodeData;
import dev.interlock.zookeeper.node.NodeName;
import dev.interlock.zookeeper.node.Participant;
import dev.interlock.zookeeper.node.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the data of participants. */
final class Participants {

    private Participants() {}

    /**
     * Reads these nodes, all at once. Nodes that are deleted meanwhile are left out.
     *
     * @param lock the node of the lock
     * @param parent the parent of the participants
     * @param left returns the rest of the lease of an owner, if this client holds the lease; null otherwise
     */
    static CompletableFuture<List<Participant>> read(
            Session now, String lock, String parent, List<NodeName> nodes, Function<OwnerId, @Nullable Duration> left) {
        if (nodes.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return now.learnClock(lock).thenCompose(known -> {
            List<CompletableFuture<Optional<NodeData>>> reads = nodes.stream()
                    .map(node -> now.readIfThere(parent + '/' + node.text()))
                    .toList();
            return Futures.all(reads).thenApply(done -> {
                List<Participant> found = new ArrayList<>();
                for (int i = 0; i < nodes.size(); i++) {
                    NodeName node = nodes.get(i);
                    reads.get(i).join().ifPresent(read -> {
                        Payload payload = Payload.decode(read.data());
                        Duration rest = payload == null ? null : left.apply(new OwnerId(payload.owner()));
                        found.add(Participant.of(node, read, payload, now.clock(), rest));
                    });
                }
                return found;
            });
        });
    }
}
