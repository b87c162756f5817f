package dev.interlock.zookeeper;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.support.Futures;
import dev.interlock.zookeeper.node.NodeName;
import dev.interlock.zookeeper.node.NodeName.Role;
import dev.interlock.zookeeper.node.Participant;
import dev.interlock.zookeeper.node.Paths;
import dev.interlock.zookeeper.node.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A claim of some permits of a semaphore: one node in the queue under {@code locks} while it waits, then one node for
 * each permit under {@code leases}.
 *
 * <p>Only the first claim in the queue may take permits. It takes all that it wants and leaves the queue in one
 * transaction, and waits at the head of the queue until there are enough: so two requests never keep from each other
 * what both need. A free semaphore costs two round trips: one to enter and look, one to take.
 */
final class SemaphoreClaim extends LocalClaim {

    /** How long a claim that does not wait stays in the queue for those before it that are about to take permits. */
    private static final Duration BRIEF = Duration.ofMillis(500);

    private static final Duration BRIEF_POLL = Duration.ofMillis(2);

    private final String locks;
    private final String leases;

    /** The node in the queue; null before it is created and once the permits are taken. */
    private @Nullable String queued;

    /** The path of the node before it in the queue, while that is watched. */
    private @Nullable String nearest;

    /** Whether it was seen at the head of the queue: only then it watches the permits. */
    private boolean first;

    private long fence;

    /** The nodes of the permits that it has taken. A claim that still waits has taken them if it lacks their fence. */
    private List<String> taken = List.of();

    SemaphoreClaim(Host host, Claim claim) {
        super(host, claim);
        this.locks = path + Paths.LOCKS;
        this.leases = path + Paths.LEASES;
    }

    private int wanted() {
        return claim.mode() instanceof Mode.Permits permits ? permits.count() : 1;
    }

    @Override
    CompletableFuture<Attempt> acquire(Session now, QueuedAnswer<Attempt> answer) {
        return switch (state()) {
            case WAITING -> look(now).thenCompose(done -> proceed(now));
            case READY -> proceed(now);
            case HELD ->
                exists(now)
                        .thenCompose(
                                there -> there ? CompletableFuture.completedFuture(keepHeld(fence)) : enterQueue(now));
            case ENTERING, LOST, ENDED -> enterQueue(now);
        };
    }

    private CompletableFuture<Attempt> proceed(Session now) {
        return switch (state()) {
            case READY -> hold(now.tether(), fence);
            case WAITING -> waitInQueue();
            default -> enterQueue(now);
        };
    }

    // ---- entering

    private CompletableFuture<Attempt> enterQueue(Session now) {
        enter(now);
        queued = null;
        nearest = null;
        first = false;
        taken = List.of();
        OwnerId earlier = claim.replaces();
        return earlier == null ? arrive(now) : host.replace(earlier).thenCompose(done -> arrive(now));
    }

    private CompletableFuture<Attempt> arrive(Session now) {
        if (claim.waited() != null) {
            return create(now, TRIES);
        }
        CompletableFuture<List<String>> others = now.childrenOrNone(leases);
        return SemaphoreState.capacity(now, path, claim)
                .thenCombine(others, (capacity, held) -> wanted() <= capacity - held.size())
                .thenCompose(
                        fits -> fits ? create(now, TRIES) : CompletableFuture.completedFuture(Attempt.busy(RETRY)));
    }

    private CompletableFuture<Attempt> create(Session now, int tries) {
        String prefix = locks + '/' + NodeName.prefix(owner) + Role.LOCK.text;
        CompletableFuture<Session.CreatedNode> creation =
                now.create(prefix, Payload.of(claim, 0).encode(), CreateMode.EPHEMERAL_SEQUENTIAL);
        CompletableFuture<SemaphoreState> read = SemaphoreState.read(now, path, claim, null);
        CompletableFuture<Attempt> entered = Futures.either(creation, (created, failure) -> {
            if (failure == null) {
                queued = Paths.name(created.path());
                if (isOutOfOrder(queued)) {
                    return renumber(now, locks, created.path(), () -> create(now, tries - 1), tries);
                }
                return read.thenCompose(semaphore -> placed(now, semaphore));
            }
            return Failures.is(failure, Code.NONODE) && tries > 0
                    ? now.containers(locks)
                            .thenCompose(done -> now.containers(leases))
                            .thenCompose(done -> create(now, tries - 1))
                    : CompletableFuture.failedFuture(failure);
        });
        return entered.whenComplete((attempt, failure) -> {
            if (failure != null && state() == State.ENTERING) {
                // The node may exist, but nobody relies on it.
                deleteLater();
            }
        });
    }

    private CompletableFuture<Attempt> placed(Session now, SemaphoreState semaphore) {
        int nodes = semaphore.queue().size();
        if (!now.hasRoomFor(nodes)) {
            return leave(now, Failures.full(locks, nodes, now.longestAnswer()));
        }
        CompletableFuture<Attempt> busy = waitInQueue();
        if (!isWaiting()) {
            return busy;
        }
        return decide(now, semaphore)
                .thenCompose(done ->
                        state() == State.READY || claim.waited() != null ? proceed(now) : tryBriefly(now, semaphore));
    }

    /** A claim that does not wait stays for those before it only if it fits in beside all of them. */
    private CompletableFuture<Attempt> tryBriefly(Session now, SemaphoreState semaphore) {
        List<NodeName> before = semaphore.before(queued);
        CompletableFuture<Long> ahead = Participants.read(now, path, locks, before, owner -> null)
                .thenApply(
                        found -> found.stream().mapToLong(Participant::permits).sum());
        return ahead.thenCompose(permits -> {
            boolean fits = !before.isEmpty() && permits + semaphore.held() + wanted() <= semaphore.capacity();
            return fits ? pollUntil(now, System.nanoTime() + BRIEF.toNanos()) : giveUp(now);
        });
    }

    private CompletableFuture<Attempt> pollUntil(Session now, long deadlineNanos) {
        if (state() == State.READY) {
            return hold(now.tether(), fence);
        }
        if (!isWaiting() || System.nanoTime() - deadlineNanos >= 0) {
            return giveUp(now);
        }
        CompletableFuture<Boolean> pause = new CompletableFuture<>();
        var unused = host.loop().later(BRIEF_POLL, () -> pause.complete(true));
        return pause.thenCompose(done -> look(now)).thenCompose(done -> pollUntil(now, deadlineNanos));
    }

    private CompletableFuture<Attempt> giveUp(Session now) {
        return delete(now).thenApply(gone -> {
            end("it does not wait");
            return Attempt.busy(RETRY);
        });
    }

    // ---- waiting

    private CompletableFuture<Boolean> look(Session now) {
        if (!taken.isEmpty()) {
            return now.stat(taken.get(0)).thenCompose(this::permitsTaken);
        }
        return SemaphoreState.read(now, path, claim, first ? watching(leases) : null)
                .thenCompose(semaphore -> decide(now, semaphore));
    }

    /** Takes the permits if it is the claim's turn and there are enough; watches whatever is in the way if not. */
    private CompletableFuture<Boolean> decide(Session now, SemaphoreState semaphore) {
        if (!isWaiting()) {
            return CompletableFuture.completedFuture(false);
        }
        if (!semaphore.isQueued(queued)) {
            end("its node was deleted by somebody else");
            return CompletableFuture.completedFuture(false);
        }
        List<NodeName> before = semaphore.before(queued);
        if (!before.isEmpty()) {
            first = false;
            return watchNearest(now, locks + '/' + before.get(before.size() - 1).text());
        }
        if (wanted() <= semaphore.capacity() - semaphore.held()) {
            int together = semaphore.held() + wanted();
            return now.hasRoomFor(together)
                    ? take(now, TRIES)
                    : leave(now, Failures.full(leases, together, now.longestAnswer()));
        }
        first = true;
        nearest = null;
        return semaphore.isWatched() ? CompletableFuture.completedFuture(true) : look(now);
    }

    private CompletableFuture<Boolean> watchNearest(Session now, String nodePath) {
        nearest = nodePath;
        return Futures.either(now.read(nodePath, watching(nodePath)), (read, failure) -> {
            if (!Failures.is(failure, Code.NONODE)) {
                return failure == null
                        ? CompletableFuture.completedFuture(true)
                        : CompletableFuture.failedFuture(failure);
            }
            nearest = null;
            return look(now);
        });
    }

    @Override
    public void nodeChanged(EventType type, String nodePath) {
        boolean concerns = nodePath.equals(leases) ? first : type == EventType.NodeDeleted && nodePath.equals(nearest);
        if (concerns && isWaiting()) {
            nearest = null;
            lookAndWake();
        }
    }

    @Override
    void reconnected() {
        if (isWaiting()) {
            lookAndWake();
        }
    }

    private void lookAndWake() {
        Session now = session;
        if (now == null) {
            return;
        }
        var unused = next(() -> isWaiting() ? look(now) : CompletableFuture.completedFuture(true))
                .whenComplete((done, failure) -> {
                    if (state() == State.ENDED) {
                        leaveBooks();
                        wake();
                    } else if (state() == State.READY) {
                        wake();
                    }
                });
    }

    // ---- taking

    /** The first claim in the queue creates all nodes of its permits, and leaves the queue, in one transaction. */
    private CompletableFuture<Boolean> take(Session now, int tries) {
        List<String> nodes = new ArrayList<>();
        List<Op> ops = new ArrayList<>();
        byte[] data = Payload.of(claim, 0).encode();
        for (int i = 0; i < wanted(); i++) {
            String node =
                    leases + '/' + NodeName.prefix(owner) + Role.LEASE.text + String.format(Locale.ROOT, "%010d", i);
            nodes.add(node);
            ops.add(Op.create(node, data, now.acl(node), CreateMode.EPHEMERAL));
        }
        ops.add(Op.delete(locks + '/' + queued, -1));
        if (!now.hasRoomFor(ops)) {
            return leave(now, Failures.tooManyAtOnce(leases, wanted(), now.longestAnswer()));
        }
        CompletableFuture<?> transaction = now.multi(ops);
        CompletableFuture<Optional<Stat>> firstNode = now.stat(nodes.get(0));
        return Futures.either(transaction, (results, failure) -> {
            if (Failures.is(failure, Code.NONODE) && tries > 0) {
                // The servers remove the parent when nobody has a permit, also while others are in the queue.
                return now.containers(leases).thenCompose(created -> take(now, tries - 1));
            }
            if (failure != null) {
                // It is unknown whether the permits were taken.
                return fail(failure);
            }
            // This is known before the fence: if the fence is not learned, the claim has its permits all the same, and
            // must not look for its place in the queue again.
            taken = nodes;
            queued = null;
            return firstNode.thenCompose(this::permitsTaken);
        });
    }

    private CompletableFuture<Boolean> permitsTaken(Optional<Stat> firstNode) {
        if (firstNode.isEmpty()) {
            return fail(Failures.vanished(taken.get(0)));
        }
        if (isWaiting()) {
            fence = firstNode.get().getCzxid();
            ready();
        }
        return CompletableFuture.completedFuture(true);
    }

    /** Leaves the queue at once, since others wait behind, and fails. */
    private <T> CompletableFuture<T> leave(Session now, Throwable refusal) {
        return Futures.either(delete(now), (gone, failure) -> fail(refusal));
    }

    /** Fails the claim; whatever exists of it is deleted. */
    private <T> CompletableFuture<T> fail(Throwable failure) {
        end("its permits cannot be taken, or it is unknown whether they were");
        deleteLater();
        return CompletableFuture.failedFuture(failure);
    }

    // ---- giving back

    /**
     * Gives back all but this many permits. Those that cannot be deleted now are deleted later. False if none is held.
     */
    CompletableFuture<Boolean> keep(int count) {
        return next(() -> {
            Session now = session;
            if (!isHeld() || now == null) {
                return CompletableFuture.completedFuture(false);
            }
            if (taken.size() <= count) {
                return CompletableFuture.completedFuture(true);
            }
            List<String> returned = taken.subList(count, taken.size());
            // Known before the answer: the claim must not be lost for permits that may be gone.
            taken = taken.subList(0, count);
            claim = claim.inMode(new Mode.Permits(count, ((Mode.Permits) claim.mode()).capacity()));
            List<CompletableFuture<Boolean>> deletions =
                    returned.stream().map(now::delete).toList();
            // The data tell how many permits the claim has.
            CompletableFuture<Boolean> shown = rewrite(now).exceptionally(failure -> false);
            return Futures.either(Futures.all(deletions).thenCombine(shown, (gone, done) -> done), (done, failure) -> {
                if (failure != null) {
                    deleteLater();
                    return CompletableFuture.failedFuture(failure);
                }
                // If one was not there, somebody else has ended the claim.
                return CompletableFuture.completedFuture(deletions.stream().allMatch(CompletableFuture::join));
            });
        });
    }

    // ---- holding and ending

    @Override
    CompletableFuture<Boolean> exists(Session now) {
        List<CompletableFuture<Boolean>> there = taken.stream()
                .map(node ->
                        now.stat(node).thenApply(stat -> stat.filter(now::owns).isPresent()))
                .toList();
        // A holder uses the capacity, and keeps it from expiring. Whether that works decides nothing here.
        var unused = SemaphoreState.capacity(now, path, claim);
        return Futures.all(there).thenApply(done -> there.stream().allMatch(CompletableFuture::join));
    }

    @Override
    CompletableFuture<Boolean> rewrite(Session now) {
        return now.write(taken.get(0), Payload.of(claim, 0).encode(), -1).thenApply(stat -> true);
    }

    @Override
    CompletableFuture<Boolean> delete(Session now) {
        if (taken.size() == 1) {
            return now.delete(taken.get(0));
        }
        if (taken.isEmpty()) {
            return queued == null ? host.removal().deleteAll(now, claim) : now.delete(locks + '/' + queued);
        }
        List<Op> ops = taken.stream().map(node -> Op.delete(node, -1)).toList();
        return Futures.either(
                now.multi(ops),
                (done, failure) -> Failures.is(failure, Code.NONODE)
                        ? host.removal().deleteAll(now, claim)
                        : failure == null
                                ? CompletableFuture.completedFuture(true)
                                : CompletableFuture.failedFuture(failure));
    }

    @Override
    List<String> nodes() {
        return taken;
    }

    @Override
    boolean uses(String nodePath) {
        return taken.contains(nodePath) || nodePath.equals(locks + '/' + queued);
    }
}
