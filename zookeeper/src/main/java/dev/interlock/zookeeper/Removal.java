package dev.interlock.zookeeper;

import dev.interlock.spi.Claim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/** The end of a claim whose nodes have to be looked for: of another client, of another library, or of an own request with an unknown outcome. */
final class Removal {

    /** How long the mark of a forced release stands, at least if this client lives so long. */
    private static final Duration MARK = Duration.ofMinutes(1);

    private final Standings all;
    private final Session now;
    private final Claim claim;
    private final String path;

    Removal(Standings all, Session now, Claim claim) {
        this.all = all;
        this.now = now;
        this.claim = claim;
        this.path = all.paths().of(claim.id());
    }

    /** Whether a holder was removed. One that is removed by force is marked before, so that its owner learns why. */
    CompletableFuture<Boolean> run() {
        return now.childrenOrNone(path).thenCompose(children -> {
            Line line = new Line(Line.ordered(children));
            NodeName node = line.of(claim.owner());
            if (node == null) {
                return CompletableFuture.completedFuture(false);
            }
            boolean held = line.holds(node);
            CompletableFuture<Boolean> ready =
                    held && claim.forced() ? mark() : CompletableFuture.completedFuture(true);
            return ready.thenCompose(done -> now.delete(path + '/' + node.text()))
                    .thenApply(there -> there && held);
        });
    }

    /** Whether anything was removed. */
    CompletableFuture<Boolean> quietly() {
        return now.childrenOrNone(path).thenCompose(children -> {
            List<CompletableFuture<Boolean>> deletions = Line.ordered(children).stream()
                    .filter(node -> node.isOf(claim.owner()))
                    .map(node -> now.delete(path + '/' + node.text()))
                    .toList();
            return Answers.all(deletions).thenApply(done -> deletions.stream().anyMatch(CompletableFuture::join));
        });
    }

    /** The mark is a container: it goes by itself some time after the node in it, and that with this client at the latest. Without the right to make it there is none. */
    private CompletableFuture<Boolean> mark() {
        String mark = all.paths().forced(claim.owner());
        return now.containers(mark)
                .thenCompose(done -> now.create(mark + "/by", new byte[0], CreateMode.EPHEMERAL))
                .handle((made, failure) -> {
                    if (failure == null) {
                        all.later(MARK, () -> now.delete(mark + "/by").exceptionally(gone -> false));
                    }
                    return failure == null || Failures.is(failure, Code.NODEEXISTS);
                });
    }
}
