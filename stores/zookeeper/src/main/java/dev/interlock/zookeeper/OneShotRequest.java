package dev.interlock.zookeeper;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import dev.interlock.support.Futures;
import dev.interlock.zookeeper.node.LatchCount;
import dev.interlock.zookeeper.node.Paths;
import dev.interlock.zookeeper.node.SemaphoreCapacity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * A request that holds nothing when it is granted: to resize a semaphore, to set a latch or count it down, to request a
 * holder to release. It is repeated until no other request comes first.
 */
final class OneShotRequest {

    private static final int TRIES = 1_000;

    private final Session now;
    private final String path;
    private final Claim claim;

    OneShotRequest(Session now, String path, Claim claim) {
        this.now = now;
        this.path = path;
        this.claim = claim;
    }

    CompletableFuture<Attempt> run() {
        Mode mode = claim.mode();
        if (mode instanceof Mode.Resize resize) {
            return resize(resize.capacity(), TRIES);
        }
        if (mode instanceof Mode.AddPermits add) {
            return add(add, TRIES);
        }
        if (mode instanceof Mode.Ask) {
            return Revocation.request(now, claim.id(), path);
        }
        return mode instanceof Mode.SetCount set ? set(set.count(), TRIES) : countDown(TRIES);
    }

    private CompletableFuture<Attempt> resize(int capacity, int tries) {
        byte[] data = SemaphoreCapacity.of(capacity, claim.lease()).encode();
        String node = path + Paths.CAPACITY;
        return Futures.either(now.write(node, data, -1), (stat, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(Attempt.granted(stat.getMzxid()));
            }
            if (!Failures.is(failure, Code.NONODE)) {
                return CompletableFuture.failedFuture(failure);
            }
            return Futures.either(
                    now.containers(path).thenCompose(done -> now.create(node, data, CreateMode.PERSISTENT)),
                    (made, problem) -> problem == null
                            ? CompletableFuture.completedFuture(
                                    Attempt.granted(made.stat().getCzxid()))
                            : repeat(problem, tries, () -> resize(capacity, tries - 1)));
        });
    }

    private CompletableFuture<Attempt> add(Mode.AddPermits add, int tries) {
        String node = path + Paths.CAPACITY;
        return NodeExpiry.withClock(now, now.readCertainly(node, null), path).thenCompose(read -> {
            SemaphoreCapacity known = SemaphoreCapacity.of(read, now.clock())
                    .orElseGet(() -> SemaphoreCapacity.of(add.capacity(), claim.lease()));
            if (known.hasAdded(claim.owner())) {
                return CompletableFuture.completedFuture(granted());
            }
            long permits = (long) known.permits() + add.more();
            if (permits < 1 || permits > Integer.MAX_VALUE) {
                return CompletableFuture.completedFuture(Attempt.busy(LocalClaim.RETRY));
            }
            byte[] data =
                    known.added((int) permits, claim.lease(), claim.owner()).encode();
            CompletableFuture<Boolean> written = read.isPresent()
                    ? now.write(node, data, read.get().stat().getVersion()).thenApply(stat -> true)
                    : now.containers(path)
                            .thenCompose(done -> now.create(node, data, CreateMode.PERSISTENT))
                            .thenApply(made -> true);
            return Futures.either(
                    written,
                    (done, failure) -> failure == null
                            ? CompletableFuture.completedFuture(granted())
                            : repeat(failure, tries, () -> add(add, tries - 1)));
        });
    }

    private CompletableFuture<Attempt> set(int count, int tries) {
        return NodeExpiry.withClock(now, now.readIfThere(path + Paths.COUNT), path)
                .thenCompose(read -> {
                    Optional<LatchCount> known = LatchCount.of(read, now.clock(), path + Paths.COUNT);
                    if (known.isPresent()) {
                        return CompletableFuture.completedFuture(
                                known.get().isSetBy(claim.owner()) ? granted() : Attempt.busy(LocalClaim.RETRY));
                    }
                    List<Op> expired = read.stream()
                            .map(node ->
                                    Op.delete(path + Paths.COUNT, node.stat().getVersion()))
                            .toList();
                    CompletableFuture<Boolean> gone = withGate(expired, read.isPresent(), tries);
                    return Futures.either(
                            gone.thenCompose(done -> make(count)),
                            (done, failure) -> failure == null
                                    ? CompletableFuture.completedFuture(granted())
                                    : repeat(failure, tries, () -> set(count, tries - 1)));
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
        return NodeExpiry.withClock(now, now.readCertainly(path + Paths.COUNT, null), path)
                .thenCompose(read -> {
                    Optional<LatchCount> known = LatchCount.of(read, now.clock(), path + Paths.COUNT);
                    if (known.isEmpty() || known.get().hasCounted(claim.owner())) {
                        return CompletableFuture.completedFuture(granted());
                    }
                    LatchCount less = known.get().down(claim.owner());
                    CompletableFuture<Boolean> counted = less.count() > 0
                            ? now.write(path + Paths.COUNT, less.encode(), less.version())
                                    .thenApply(stat -> true)
                            : withGate(List.of(Op.delete(path + Paths.COUNT, less.version())), true, tries);
                    return Futures.either(
                            counted,
                            (done, failure) -> failure == null
                                    ? CompletableFuture.completedFuture(granted())
                                    : repeat(failure, tries, () -> countDown(tries - 1)));
                });
    }

    /**
     * Does this, and deletes the gate in the same step. The gate is there exactly if the count is, unless somebody has
     * made or deleted one of them by hand: so a request that is repeated looks first.
     *
     * @param usual whether the gate must be there
     */
    private CompletableFuture<Boolean> withGate(List<Op> count, boolean usual, int tries) {
        CompletableFuture<Boolean> isThere = tries == TRIES
                ? CompletableFuture.completedFuture(usual)
                : now.readIfThere(path + Paths.GATE).thenApply(Optional::isPresent);
        return isThere.thenCompose(there -> {
            List<Op> ops = new ArrayList<>(count);
            if (there) {
                ops.add(Op.delete(path + Paths.GATE, -1));
            }
            return ops.isEmpty() ? CompletableFuture.completedFuture(true) : multi(ops);
        });
    }

    private CompletableFuture<Boolean> multi(List<Op> ops) {
        return now.multi(ops).thenApply(results -> true);
    }

    private interface Request {
        CompletableFuture<Attempt> run();
    }

    /** Repeats the request if another one came first. */
    private static CompletableFuture<Attempt> repeat(Throwable failure, int tries, Request next) {
        boolean raced = Failures.is(failure, Code.BADVERSION)
                || Failures.is(failure, Code.NODEEXISTS)
                || Failures.is(failure, Code.NONODE);
        return raced && tries > 0 ? next.run() : CompletableFuture.failedFuture(failure);
    }

    private static Attempt granted() {
        // Nothing is held, so no fence is needed.
        return Attempt.granted(1);
    }
}
