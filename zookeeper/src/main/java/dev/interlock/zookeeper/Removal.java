package dev.interlock.zookeeper;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The end of a claim whose nodes have to be looked for: of another client, of another library, or of an own request
 * with an unknown outcome.
 */
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
        return found().thenCompose(found -> {
            boolean held = found.stream().anyMatch(Found::holds);
            CompletableFuture<Boolean> ready =
                    held && claim.forced() ? mark() : CompletableFuture.completedFuture(true);
            return ready.thenCompose(done -> delete(found)).thenApply(there -> there && held);
        });
    }

    /** Whether anything was removed: all nodes of the owner but those on which it stands again. */
    CompletableFuture<Boolean> quietly() {
        return found().thenCompose(found -> delete(found.stream()
                .filter(each -> !all.isStoodOn(claim.owner(), each.path()))
                .toList()));
    }

    private record Found(String path, boolean holds) {}

    /** The nodes of the owner, wherever one of this kind has them. */
    private CompletableFuture<List<Found>> found() {
        // A server that lags behind may not know them yet.
        CompletableFuture<Boolean> proved = now.prove("/");
        List<CompletableFuture<List<Found>>> looks =
                all.paths().ofClaims(claim.id()).stream().map(this::found).toList();
        return proved.thenCombine(Answers.all(looks), (done, answered) -> looks.stream()
                .flatMap(look -> look.join().stream())
                .toList());
    }

    private CompletableFuture<List<Found>> found(String parent) {
        boolean leases = parent.endsWith(Paths.LEASES) && claim.id().kind() == LockKind.SEMAPHORE;
        boolean inLine = parent.equals(path);
        return now.childrenOrNone(parent).thenApply(children -> {
            Line line = new Line(Line.ordered(children));
            return line.all().stream()
                    .filter(node -> node.isOf(claim.owner()))
                    .map(node -> new Found(parent + '/' + node.text(), leases || (inLine && line.holds(node))))
                    .toList();
        });
    }

    private CompletableFuture<Boolean> delete(List<Found> found) {
        List<CompletableFuture<Boolean>> deletions =
                found.stream().map(each -> now.delete(each.path())).toList();
        return Answers.all(deletions).thenApply(done -> deletions.stream().anyMatch(CompletableFuture::join));
    }

    /**
     * The mark is a container: it goes by itself some time after the node in it, and that with this client at the
     * latest. Without the right to make it there is none.
     */
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
