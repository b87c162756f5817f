package dev.interlock.zookeeper;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.zookeeper.NodeName.Role;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * A claim that waits for a latch to be at zero: a node among those who wait, for people who look, and a watch on the
 * gate, which goes with the count.
 */
final class LatchStanding extends Standing {

    private static final int TRIES = 5;

    private final String gate;
    private @Nullable String node;

    LatchStanding(Standings all, Claim claim) {
        super(all, claim);
        this.gate = path + Paths.GATE;
    }

    @Override
    CompletableFuture<Attempt> asked(Session now, CompletableFuture<Attempt> answer) {
        if (state != State.WAITING && state != State.READY) {
            state = State.NEW;
            node = null;
        }
        session = now;
        return isClosed(now).thenCompose(closed -> {
            if (!closed) {
                return passed(now);
            }
            if (claim.waited() == null || answer.isDone()) {
                return CompletableFuture.completedFuture(Attempt.busy(SOON));
            }
            return node == null ? enter(now, TRIES) : CompletableFuture.completedFuture(wait(State.WAITING));
        });
    }

    private CompletableFuture<Boolean> isClosed(Session now) {
        return now.readCertainly(gate, claim.waited() == null ? null : watching(gate))
                .thenCompose(read -> read.isEmpty()
                        ? CompletableFuture.completedFuture(false)
                        : Life.dated(now, now.readIfThere(path + Paths.COUNT), path)
                                .thenApply(count -> isAwaited(now, count)));
    }

    /** The count does not end by itself as long as somebody waits. */
    private boolean isAwaited(Session now, Optional<Session.Read> read) {
        Optional<LatchCount> count = LatchCount.of(read, now.clock());
        count.ifPresent(left -> Life.prolong(now, path + Paths.COUNT, read.orElseThrow(), left.life()));
        return count.isPresent();
    }

    /** Over at once: nothing is held. */
    private CompletableFuture<Attempt> passed(Session now) {
        state = State.GONE;
        CompletableFuture<Boolean> left = node == null ? CompletableFuture.completedFuture(true) : remove(now);
        return left.thenApply(done -> Attempt.granted(1));
    }

    private CompletableFuture<Attempt> enter(Session now, int tries) {
        String prefix = path + Paths.WAITERS + '/' + NodeName.prefix(owner) + Role.WAIT.text;
        CompletableFuture<Session.Created> made =
                now.create(prefix, Payload.of(claim, 0).encode(), CreateMode.EPHEMERAL_SEQUENTIAL);
        return Answers.either(made, (created, failure) -> {
            if (failure == null) {
                node = Paths.name(created.path());
                return CompletableFuture.completedFuture(wait(state == State.READY ? state : State.WAITING));
            }
            if (Failures.is(failure, Code.NONODE) && tries > 0) {
                return now.containers(path + Paths.WAITERS).thenCompose(done -> enter(now, tries - 1));
            }
            all.leavings().add(claim);
            return CompletableFuture.failedFuture(failure);
        });
    }

    @Override
    void happened(EventType type, String nodePath) {
        if (type == EventType.NodeDeleted && (state == State.NEW || state == State.WAITING)) {
            state = State.READY;
            all.wake(this);
        }
    }

    @Override
    CompletableFuture<Boolean> stands(Session now) {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    CompletableFuture<Boolean> note(Session now) {
        return CompletableFuture.completedFuture(true);
    }

    @Override
    CompletableFuture<Boolean> remove(Session now) {
        return node == null ? CompletableFuture.completedFuture(false) : now.delete(path + Paths.WAITERS + '/' + node);
    }

    @Override
    boolean standsOn(String nodePath) {
        return nodePath.equals(path + Paths.WAITERS + '/' + node);
    }

    @Override
    void reconnected() {
        // A watch on a node that went meanwhile fires when the connection is back.
    }
}
