package dev.interlock.zookeeper;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * A request that is over as soon as it is granted: to resize a semaphore, to set a latch or to count it down, to ask a
 * holder to let go. It is made again until nobody else was faster.
 */
final class Act {

    private static final int TRIES = 1_000;

    private final Session now;
    private final String path;
    private final Claim claim;

    Act(Session now, String path, Claim claim) {
        this.now = now;
        this.path = path;
        this.claim = claim;
    }

    CompletableFuture<Attempt> run() {
        Mode mode = claim.mode();
        if (mode instanceof Mode.Resize resize) {
            return resize(resize.capacity(), TRIES);
        }
        if (mode instanceof Mode.Ask) {
            return Revocation.request(now, claim.id(), path);
        }
        return mode instanceof Mode.SetCount set ? set(set.count(), TRIES) : countDown(TRIES);
    }

    private CompletableFuture<Attempt> resize(int capacity, int tries) {
        byte[] data = Capacity.encode(capacity, claim.lease());
        String node = path + Paths.CAPACITY;
        return Answers.either(now.write(node, data, -1), (stat, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(Attempt.granted(stat.getMzxid()));
            }
            if (!Failures.is(failure, Code.NONODE)) {
                return CompletableFuture.failedFuture(failure);
            }
            return Answers.either(
                    now.containers(path).thenCompose(done -> now.create(node, data, CreateMode.PERSISTENT)),
                    (made, problem) -> problem == null
                            ? CompletableFuture.completedFuture(
                                    Attempt.granted(made.stat().getCzxid()))
                            : again(problem, tries, () -> resize(capacity, tries - 1)));
        });
    }

    private CompletableFuture<Attempt> set(int count, int tries) {
        return Life.dated(now, now.readIfThere(path + Paths.COUNT), path).thenCompose(read -> {
            Optional<LatchCount> known = LatchCount.of(read, now.clock());
            if (known.isPresent()) {
                return CompletableFuture.completedFuture(
                        known.get().isSetBy(claim.owner()) ? granted() : Attempt.busy(Standing.SOON));
            }
            CompletableFuture<Boolean> gone = read.isEmpty()
                    ? CompletableFuture.completedFuture(true)
                    : multi(delete(read.get().stat.getVersion()));
            return Answers.either(
                    gone.thenCompose(done -> make(count)),
                    (done, failure) -> failure == null
                            ? CompletableFuture.completedFuture(granted())
                            : again(failure, tries, () -> set(count, tries - 1)));
        });
    }

    private CompletableFuture<Boolean> make(int count) {
        byte[] data = LatchCount.set(count, claim.lease(), claim.owner()).encode();
        String node = path + Paths.COUNT;
        String gate = path + Paths.GATE;
        return now.containers(path)
                .thenCompose(done -> multi(List.of(
                        Op.create(node, data, now.acl(node), CreateMode.PERSISTENT),
                        Op.create(gate, new byte[0], now.acl(gate), CreateMode.PERSISTENT))));
    }

    private CompletableFuture<Attempt> countDown(int tries) {
        return Life.dated(now, now.readCertainly(path + Paths.COUNT, null), path)
                .thenCompose(read -> {
                    Optional<LatchCount> known = LatchCount.of(read, now.clock());
                    if (known.isEmpty() || known.get().hasCounted(claim.owner())) {
                        return CompletableFuture.completedFuture(granted());
                    }
                    LatchCount less = known.get().down(claim.owner());
                    CompletableFuture<Boolean> counted = less.count() > 0
                            ? now.write(path + Paths.COUNT, less.encode(), less.version())
                                    .thenApply(stat -> true)
                            : multi(delete(less.version()));
                    return Answers.either(
                            counted,
                            (done, failure) -> failure == null
                                    ? CompletableFuture.completedFuture(granted())
                                    : again(failure, tries, () -> countDown(tries - 1)));
                });
    }

    /** At zero nothing is left. */
    private List<Op> delete(int version) {
        return List.of(Op.delete(path + Paths.COUNT, version), Op.delete(path + Paths.GATE, -1));
    }

    private CompletableFuture<Boolean> multi(List<Op> ops) {
        return now.multi(ops).thenApply(results -> true);
    }

    private interface Try {
        CompletableFuture<Attempt> run();
    }

    /** Somebody was faster: look again. */
    private static CompletableFuture<Attempt> again(Throwable failure, int tries, Try next) {
        boolean raced = Failures.is(failure, Code.BADVERSION)
                || Failures.is(failure, Code.NODEEXISTS)
                || Failures.is(failure, Code.NONODE);
        return raced && tries > 0 ? next.run() : CompletableFuture.failedFuture(failure);
    }

    private static Attempt granted() {
        // Nothing is held, and so nothing is fenced.
        return Attempt.granted(1);
    }
}
