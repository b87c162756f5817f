package dev.interlock.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.LockId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * Asks holders to let go, as Curator's {@code Revoker} does: by a word that is written into their nodes. And hears of
 * it: a claim reads its node whenever it is renewed, and watches it from then on. It tells its leases, and writes what
 * stood there before, so that others can see again who holds. Used on the loop only.
 */
final class Revocation {

    /** The whole data of the node of a participant that is asked to let go. */
    static final String WORD = "__REVOKE__";

    private static final byte[] DATA = WORD.getBytes(UTF_8);

    private final Standing asked;
    private final Supplier<byte[]> usual;
    private final Watcher watcher = this::happened;
    private String path = "";
    private int version;

    /** The version of the last request that was told; -1 before the first. */
    private int told = -1;

    /**
     * Does not listen yet.
     *
     * @param asked the claim
     * @param usual what its node says otherwise
     */
    Revocation(Standing asked, Supplier<byte[]> usual) {
        this.asked = asked;
        this.usual = usual;
    }

    // ---- to ask

    /** Granted if anybody holds and has been asked. */
    static CompletableFuture<Attempt> request(Session now, LockId id, String path) {
        return now.childrenOrNone(path).thenCompose(children -> {
            Line line = new Line(Line.of(id.kind(), children));
            List<CompletableFuture<Boolean>> written = line.all().stream()
                    .filter(line::holds)
                    .map(node -> write(now, path + '/' + node.text()))
                    .toList();
            return Answers.all(written)
                    .thenApply(done -> written.stream().anyMatch(CompletableFuture::join)
                            ? Attempt.granted(1)
                            : Attempt.busy(Standing.SOON));
        });
    }

    /** Whether it was still there. */
    private static CompletableFuture<Boolean> write(Session now, String node) {
        return Answers.either(now.write(node, DATA, -1), (stat, failure) -> {
            boolean gone = Failures.is(failure, Code.NONODE);
            return failure == null || gone
                    ? CompletableFuture.completedFuture(!gone)
                    : CompletableFuture.failedFuture(failure);
        });
    }

    // ---- to hear

    /** Whether this node, of a claim that holds, stands; a request in it is told, and one that comes later will be. */
    CompletableFuture<Boolean> stands(Session now, String node) {
        if (!node.equals(path)) {
            path = node;
            told = -1;
        }
        return now.readIfThere(node, watcher).thenApply(read -> {
            Optional<Session.Read> mine = read.filter(there -> now.owns(there.stat));
            mine.filter(there -> node.equals(path)).ifPresent(there -> heard(now, there));
            return mine.isPresent();
        });
    }

    private void heard(Session now, Session.Read read) {
        version = read.stat.getVersion();
        if (asked.isHeld() && version != told && Arrays.equals(read.data, DATA)) {
            told = version;
            asked.all.asked(asked);
            // Without the right to write, or if somebody asks again, it stays as it is.
            var unused = note(now).exceptionally(failure -> false);
        }
    }

    /** Writes what the node says usually, unless somebody has written into it since it was read. */
    CompletableFuture<Boolean> note(Session now) {
        return now.write(path, usual.get(), version).thenApply(stat -> true);
    }

    /** Whether the claim has been listened to. */
    boolean isListening() {
        return !path.isEmpty();
    }

    private void happened(WatchedEvent event) {
        if (event.getType() == Watcher.Event.EventType.NodeDataChanged) {
            asked.all.run(this::look);
        }
    }

    private void look() {
        // What fails is made good by the next renewal.
        var unused = asked.next(() -> {
            Session now = asked.session;
            return now != null && asked.isHeld() && asked.standsOn(path)
                    ? stands(now, path)
                    : CompletableFuture.completedFuture(false);
        });
    }
}
