package dev.interlock.zookeeper;

import dev.interlock.spi.Command;
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
 * Executes a command: resizes a semaphore, sets a latch or counts it down, requests a holder to release. Repeats it
 * until no other request comes first. The answer is whether the command is done; false if its rule refuses it.
 */
final class OneShotRequest {

    private static final int TRIES = 1_000;

    private final Session now;
    private final String path;
    private final Command command;

    OneShotRequest(Session now, String path, Command command) {
        this.now = now;
        this.path = path;
        this.command = command;
    }

    CompletableFuture<Boolean> run() {
        Command.Action action = command.action();
        if (action instanceof Command.Resize resize) {
            return resize(resize.capacity(), TRIES);
        }
        if (action instanceof Command.AddPermits add) {
            return add(add, TRIES);
        }
        if (action instanceof Command.RequestRevocation) {
            return Revocation.request(now, command.id(), path);
        }
        return action instanceof Command.SetCount set ? set(set.count(), TRIES) : countDown(TRIES);
    }

    private CompletableFuture<Boolean> resize(int capacity, int tries) {
        byte[] data = SemaphoreCapacity.of(capacity, command.lease()).encode();
        String node = path + Paths.CAPACITY;
        return Futures.either(now.write(node, data, -1), (stat, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(true);
            }
            if (!Failures.is(failure, Code.NONODE)) {
                return CompletableFuture.failedFuture(failure);
            }
            return Futures.either(
                    now.containers(path).thenCompose(done -> now.create(node, data, CreateMode.PERSISTENT)),
                    (made, problem) -> problem == null
                            ? CompletableFuture.completedFuture(true)
                            : repeat(problem, tries, () -> resize(capacity, tries - 1)));
        });
    }

    private CompletableFuture<Boolean> add(Command.AddPermits add, int tries) {
        String node = path + Paths.CAPACITY;
        return NodeExpiry.withClock(now, now.readCertainly(node, null), path).thenCompose(read -> {
            SemaphoreCapacity known = SemaphoreCapacity.of(read, now.clock())
                    .orElseGet(() -> SemaphoreCapacity.of(add.capacity(), command.lease()));
            if (known.hasAdded(command.owner())) {
                return CompletableFuture.completedFuture(true);
            }
            long permits = (long) known.permits() + add.more();
            if (permits < 1 || permits > Integer.MAX_VALUE) {
                return CompletableFuture.completedFuture(false);
            }
            byte[] data =
                    known.added((int) permits, command.lease(), command.owner()).encode();
            CompletableFuture<Boolean> written = read.isPresent()
                    ? now.write(node, data, read.get().stat().getVersion()).thenApply(stat -> true)
                    : now.containers(path)
                            .thenCompose(done -> now.create(node, data, CreateMode.PERSISTENT))
                            .thenApply(made -> true);
            return Futures.either(
                    written,
                    (done, failure) -> failure == null
                            ? CompletableFuture.completedFuture(true)
                            : repeat(failure, tries, () -> add(add, tries - 1)));
        });
    }

    private CompletableFuture<Boolean> set(int count, int tries) {
        return NodeExpiry.withClock(now, now.readIfThere(path + Paths.COUNT), path)
                .thenCompose(read -> {
                    Optional<LatchCount> known = LatchCount.of(read, now.clock(), path + Paths.COUNT);
                    if (known.isPresent()) {
                        return CompletableFuture.completedFuture(known.get().isSetBy(command.owner()));
                    }
                    List<Op> expired = read.stream()
                            .map(node ->
                                    Op.delete(path + Paths.COUNT, node.stat().getVersion()))
                            .toList();
                    CompletableFuture<Boolean> gone = withGate(expired, read.isPresent(), tries);
                    return Futures.either(
                            gone.thenCompose(done -> make(count)),
                            (done, failure) -> failure == null
                                    ? CompletableFuture.completedFuture(true)
                                    : repeat(failure, tries, () -> set(count, tries - 1)));
                });
    }

    private CompletableFuture<Boolean> make(int count) {
        byte[] data = LatchCount.set(count, command.lease(), command.owner()).encode();
        String node = path + Paths.COUNT;
        String gate = path + Paths.GATE;
        return now.containers(path)
                .thenCompose(done -> multi(List.of(
                        Op.create(node, data, now.acl(node), CreateMode.PERSISTENT),
                        Op.create(gate, new byte[0], now.acl(gate), CreateMode.PERSISTENT))));
    }

    private CompletableFuture<Boolean> countDown(int tries) {
        return NodeExpiry.withClock(now, now.readCertainly(path + Paths.COUNT, null), path)
                .thenCompose(read -> {
                    Optional<LatchCount> known = LatchCount.of(read, now.clock(), path + Paths.COUNT);
                    if (known.isEmpty() || known.get().hasCounted(command.owner())) {
                        return CompletableFuture.completedFuture(true);
                    }
                    LatchCount less = known.get().down(command.owner());
                    CompletableFuture<Boolean> counted = less.count() > 0
                            ? now.write(path + Paths.COUNT, less.encode(), less.version())
                                    .thenApply(stat -> true)
                            : withGate(List.of(Op.delete(path + Paths.COUNT, less.version())), true, tries);
                    return Futures.either(
                            counted,
                            (done, failure) -> failure == null
                                    ? CompletableFuture.completedFuture(true)
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
        CompletableFuture<Boolean> run();
    }

    /** Repeats the request if another one came first. */
    private static CompletableFuture<Boolean> repeat(Throwable failure, int tries, Request next) {
        boolean raced = Failures.is(failure, Code.BADVERSION)
                || Failures.is(failure, Code.NODEEXISTS)
                || Failures.is(failure, Code.NONODE);
        return raced && tries > 0 ? next.run() : CompletableFuture.failedFuture(failure);
    }
}
