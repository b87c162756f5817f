package dev.interlock.zookeeper;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.support.Futures;
import dev.interlock.zookeeper.node.NodeData;
import dev.interlock.zookeeper.node.NodeName;
import dev.interlock.zookeeper.node.NodeName.Role;
import dev.interlock.zookeeper.node.NodeQueue;
import dev.interlock.zookeeper.node.Paths;
import dev.interlock.zookeeper.node.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * A claim of a lock or a read/write lock: one node in the queue of its name.
 *
 * <p><b>Entering</b> costs one round trip: the request that creates the node and the request that reads the queue are
 * sent together. A claim that does not wait reads the queue first, and creates its node only if the way is free: a
 * failed try writes nothing.
 *
 * <p><b>Waiting</b> is a watch on the nearest node in the way. When that node is deleted and was the only one, the
 * claim is ready without another look, since later claims queue behind it. A writer looks again, since a writer before
 * it may have become a reader under a new node. The claim watches its own node, too: if somebody deletes that, the
 * claims behind move up to its place.
 *
 * <p><b>Changing the mode</b> from writer to reader keeps the place, in one transaction. A reader that becomes a writer
 * enters anew: the readers behind it have looked for the writers before them, and will not look again.
 */
final class LockClaim extends LocalClaim {

    /** With more writers than these in the way, reading the queue is cheaper than looking for each of them. */
    private static final int MANY = 32;

    private final Revocation revocation = new Revocation(this, this::data);
    private Role role = Role.LOCK;
    private @Nullable String node;
    private long fence;

    /** Whether a change of the mode has an unknown outcome: the node may go by its old name or its new one. */
    private boolean nodeUncertain;

    /** The nodes in the way, as far as known, the nearest last. */
    private List<NodeName> inTheWay = List.of();

    /** Whether the deletion of the own node or of the nearest one may have been missed. */
    private boolean missedEvents;

    /** The own node while it is watched for its deletion by others; null otherwise. */
    private @Nullable String watchedOwn;

    LockClaim(Host host, Claim claim) {
        super(host, claim);
    }

    private Role role(Claim claim) {
        if (claim.id().kind() == LockKind.LOCK) {
            return host.lockRole();
        }
        return claim.mode() instanceof Mode.Shared ? Role.READ : Role.WRITE;
    }

    @Override
    CompletableFuture<Attempt> acquire(Session now, QueuedAnswer<Attempt> answer) {
        return switch (state()) {
            case WAITING -> role == role(claim) ? checkNearest(now).thenCompose(done -> proceed(now)) : changeRole(now);
            case READY -> role == role(claim) ? takeTurn(now) : changeRole(now);
            case HELD -> role == Role.WRITE && role(claim) == Role.READ ? changeRole(now) : holdAgain(now);
            case ENTERING, LOST, ENDED -> enterQueue(now);
        };
    }

    // ---- entering

    private CompletableFuture<Attempt> enterQueue(Session now) {
        enter(now);
        node = null;
        watchedOwn = null;
        role = role(claim);
        OwnerId earlier = claim.replaces();
        if (earlier == null) {
            return claim.waited() != null ? create(now, TRIES) : tryOnce(now);
        }
        return host.replace(earlier).thenCompose(known -> known ? create(now, TRIES) : replaceUnknown(earlier, now));
    }

    /** The earlier claim is not known here any more, but its nodes may exist. */
    private CompletableFuture<Attempt> replaceUnknown(OwnerId earlier, Session now) {
        return now.childrenOrNone(path).thenCompose(children -> {
            // These requests are sent before the next one, so the servers execute them before it.
            NodeQueue.ordered(children).stream()
                    .filter(NodeName.isOf(earlier))
                    .forEach(each -> now.delete(nodePath(each.text())).exceptionally(failure -> false));
            return create(now, TRIES);
        });
    }

    private CompletableFuture<Attempt> tryOnce(Session now) {
        return now.childrenOrNone(path).thenCompose(children -> {
            boolean free = NodeQueue.of(id, path, children).inTheWayOf(role).isEmpty();
            return free ? create(now, TRIES) : CompletableFuture.completedFuture(Attempt.busy(RETRY));
        });
    }

    private CompletableFuture<Attempt> create(Session now, int tries) {
        String prefix = nodePath(NodeName.prefix(owner) + role.text);
        CompletableFuture<Session.CreatedNode> creation =
                now.create(prefix, Payload.of(claim, 0).encode(), CreateMode.EPHEMERAL_SEQUENTIAL);
        CompletableFuture<List<String>> queue = now.childrenOrNone(path);
        CompletableFuture<Attempt> entered = Futures.either(creation, (created, failure) -> {
            if (failure == null) {
                node = Paths.name(created.path());
                fence = created.stat().getCzxid();
                if (isOutOfOrder(node)) {
                    return renumber(now, path, created.path(), () -> create(now, tries - 1), tries);
                }
                return queue.thenCompose(children ->
                        now.hasRoomFor(children.size()) ? placed(now, children) : leaveFullQueue(now, children.size()));
            }
            return Failures.is(failure, Code.NONODE) && tries > 0
                    ? now.containers(path).thenCompose(done -> create(now, tries - 1))
                    : CompletableFuture.failedFuture(failure);
        });
        return entered.whenComplete((attempt, failure) -> {
            if (failure != null && state() == State.ENTERING) {
                // The node may exist, but nobody relies on it.
                deleteLater();
            }
        });
    }

    /** With one more node in the queue, nobody could read it any longer. */
    private CompletableFuture<Attempt> leaveFullQueue(Session now, int nodes) {
        return delete(now)
                .thenCompose(gone -> CompletableFuture.failedFuture(Failures.full(path, nodes, now.longestAnswer())));
    }

    private CompletableFuture<Attempt> placed(Session now, List<String> children) {
        NodeQueue queue = NodeQueue.of(id, path, children);
        NodeName own = own(queue);
        if (own == null) {
            return CompletableFuture.failedFuture(Failures.vanished(nodePath(node)));
        }
        List<NodeName> others = queue.inTheWayOf(own);
        if (others.isEmpty()) {
            return hold(now.tether(), fence);
        }
        if (claim.waited() == null) {
            return delete(now).thenApply(gone -> Attempt.busy(RETRY));
        }
        CompletableFuture<Attempt> busy = waitInQueue();
        if (isWaiting()) {
            waitBehind(now, others);
        }
        return busy;
    }

    private @Nullable NodeName own(NodeQueue queue) {
        return queue.all().stream()
                .filter(each -> each.text().equals(node))
                .findFirst()
                .orElse(null);
    }

    // ---- waiting

    /** Waits for these nodes: the nearest last, and at least one. */
    private void waitBehind(Session now, List<NodeName> others) {
        inTheWay = others;
        missedEvents = false;
        // Events come in order: if the own node was deleted before the nearest one, that is known first.
        if (watchedOwn == null) {
            watchOwn(now, String.valueOf(node));
        }
        watchNearest(now);
    }

    private void watchOwn(Session now, String own) {
        watchedOwn = own;
        var unused = readWatched(now, own).whenComplete((read, failure) -> {
            if (Failures.is(failure, Code.NONODE)) {
                ownDeleted(own);
            } else if (failure != null && own.equals(watchedOwn)) {
                watchedOwn = null;
                missedEvents = true;
            }
        });
    }

    private void watchNearest(Session now) {
        NodeName nearest = nearest();
        var unused = readWatched(now, nearest.text()).whenComplete((read, failure) -> {
            if (Failures.is(failure, Code.NONODE)) {
                nearestDeleted(nearest);
            } else if (failure != null) {
                missedEvents = true;
            }
        });
    }

    private CompletableFuture<NodeData> readWatched(Session now, String watched) {
        String watchedPath = nodePath(watched);
        return now.read(watchedPath, watching(watchedPath));
    }

    private NodeName nearest() {
        return inTheWay.get(inTheWay.size() - 1);
    }

    private boolean isNearest(String other) {
        return isWaiting() && !inTheWay.isEmpty() && nearest().text().equals(other);
    }

    @Override
    public void nodeChanged(EventType type, String nodePath) {
        Session now = session;
        String name = Paths.name(nodePath);
        if (now == null) {
            return;
        }
        if (name.equals(watchedOwn)) {
            if (type == EventType.NodeDeleted) {
                ownDeleted(name);
            } else if (type == EventType.NodeDataChanged && (isWaiting() || isHeld())) {
                watchOwn(now, name);
            }
        } else if (isNearest(name)) {
            if (type == EventType.NodeDeleted) {
                nearestDeleted(nearest());
            } else if (type == EventType.NodeDataChanged) {
                // Its holder was requested to release it, and has not done so yet.
                watchNearest(now);
            }
        }
    }

    /**
     * Somebody has deleted the own node: the claim has to queue again, or is lost, which its next renewal finds. Not a
     * step: one that is under way must not find that it is the claim's turn.
     */
    private void ownDeleted(String own) {
        if (own.equals(watchedOwn) && (isWaiting() || state() == State.READY)) {
            loseNode();
        } else if (own.equals(watchedOwn) && isHeld()) {
            wake();
        }
    }

    private void loseNode() {
        forget("its node was deleted by somebody else");
        wake();
    }

    private void nearestDeleted(NodeName gone) {
        var unused = next(() -> afterDeletion(gone));
    }

    /** The nearest node in the way has gone. */
    private CompletableFuture<Boolean> afterDeletion(NodeName gone) {
        Session now = session;
        if (now == null || !isNearest(gone.text())) {
            return CompletableFuture.completedFuture(false);
        }
        List<NodeName> others = inTheWay.subList(0, inTheWay.size() - 1);
        boolean certain = role != Role.WRITE && !missedEvents && now.tether().leftNanos() > 0;
        if (certain && others.isEmpty()) {
            readyAndWake();
            return CompletableFuture.completedFuture(true);
        }
        return certain && role == Role.READ && others.size() <= MANY ? lookForWriters(now, others) : readQueue(now);
    }

    /** A reader knows all writers that can ever be in its way. */
    private CompletableFuture<Boolean> lookForWriters(Session now, List<NodeName> writers) {
        List<CompletableFuture<Boolean>> there =
                writers.stream().map(each -> now.exists(nodePath(each.text()))).toList();
        return Futures.all(there)
                .thenApply(done -> {
                    List<NodeName> left = new ArrayList<>();
                    for (int i = 0; i < writers.size(); i++) {
                        if (there.get(i).join()) {
                            left.add(writers.get(i));
                        }
                    }
                    return decide(now, left);
                })
                .whenComplete((done, failure) -> missedEvents |= failure != null);
    }

    /** Reads the queue, to learn who is in the way, or that nobody is. */
    private CompletableFuture<Boolean> readQueue(Session now) {
        // The proof is for the tether, which may have ended meanwhile.
        var unused = now.prove("/");
        return now.childrenOrNone(path)
                .thenApply(children -> {
                    NodeQueue queue = NodeQueue.of(id, path, children);
                    NodeName own = own(queue);
                    if (own != null) {
                        return decide(now, queue.inTheWayOf(own));
                    }
                    if (isWaiting()) {
                        loseNode();
                    }
                    return false;
                })
                .whenComplete((done, failure) -> missedEvents |= failure != null);
    }

    private boolean decide(Session now, List<NodeName> others) {
        inTheWay = others;
        // The session may have ended, or the own node been deleted, before the answer came.
        if (isWaiting()) {
            if (others.isEmpty()) {
                readyAndWake();
            } else {
                waitBehind(now, others);
            }
        }
        return true;
    }

    /** The watch of the own node stays: callers of this client may wait for the end of the claim. */
    @Override
    void held() {
        if (watchedOwn != null) {
            var unused = watching(nodePath(watchedOwn));
        }
    }

    private void readyAndWake() {
        ready();
        wake();
    }

    /** The engine asks again: is the nearest node still there? */
    private CompletableFuture<Boolean> checkNearest(Session now) {
        if (missedEvents) {
            return readQueue(now);
        }
        NodeName nearest = nearest();
        return Futures.either(
                readWatched(now, nearest.text()),
                (read, failure) -> failure == null
                        ? CompletableFuture.completedFuture(true)
                        : Failures.is(failure, Code.NONODE)
                                ? afterDeletion(nearest)
                                : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<Attempt> proceed(Session now) {
        return switch (state()) {
            case READY -> takeTurn(now);
            case WAITING -> waitInQueue();
            default ->
                host.books().register(this) ? enterQueue(now) : CompletableFuture.completedFuture(Attempt.busy(RETRY));
        };
    }

    private CompletableFuture<Attempt> takeTurn(Session now) {
        if (now.tether().leftNanos() > 0) {
            return hold(now.tether(), fence);
        }
        // It was the claim's turn, but whether its session is alive has to be proved first.
        var unused = waitInQueue();
        return now.prove("/").thenCompose(done -> readQueue(now)).thenCompose(done -> proceed(now));
    }

    @Override
    void reconnected() {
        Session now = session;
        if (isWaiting() && missedEvents && now != null) {
            var unused = next(() -> isWaiting() ? readQueue(now) : CompletableFuture.completedFuture(false));
        }
    }

    // ---- changing the mode

    private CompletableFuture<Attempt> changeRole(Session now) {
        // The claim deletes its node itself from now on.
        watchedOwn = null;
        missedEvents = true;
        if (role == Role.READ) {
            return delete(now).thenCompose(gone -> enterQueue(now));
        }
        String write = String.valueOf(node);
        String read = NodeName.prefix(owner) + Role.READ.text + write.substring(write.length() - 10);
        String readPath = nodePath(read);
        boolean held = isHeld();
        List<Op> ops = List.of(
                Op.create(readPath, Payload.of(claim, fence).encode(), now.acl(readPath), CreateMode.EPHEMERAL),
                Op.delete(nodePath(write), -1));
        return Futures.either(now.multi(ops), (done, failure) -> {
            if (failure == null || Failures.is(failure, Code.NODEEXISTS)) {
                role = Role.READ;
                node = read;
                nodeUncertain = false;
                if (revocation.isListening()) {
                    var unused = revocation.listen(now, readPath);
                }
                return held
                        ? CompletableFuture.completedFuture(keepHeld(fence))
                        : now.childrenOrNone(path).thenCompose(children -> placed(now, children));
            }
            if (Failures.is(failure, Code.NONODE)) {
                return enterQueue(now);
            }
            nodeUncertain = true;
            return CompletableFuture.failedFuture(failure);
        });
    }

    // ---- holding and ending

    private CompletableFuture<Attempt> holdAgain(Session now) {
        return exists(now)
                .thenCompose(there -> there ? CompletableFuture.completedFuture(keepHeld(fence)) : enterQueue(now));
    }

    @Override
    CompletableFuture<Boolean> exists(Session now) {
        return revocation
                .listen(now, nodePath(node))
                .thenCompose(own -> own || !nodeUncertain ? CompletableFuture.completedFuture(own) : findNode(now));
    }

    /** Finds the node after a change of the mode with an unknown outcome. */
    private CompletableFuture<Boolean> findNode(Session now) {
        return now.childrenOrNone(path).thenApply(children -> {
            NodeName found = NodeQueue.of(id, path, children).of(owner);
            if (found != null) {
                node = found.text();
                role = found.role();
            }
            return found != null;
        });
    }

    @Override
    CompletableFuture<Boolean> rewrite(Session now) {
        return revocation.rewrite(now);
    }

    private byte[] data() {
        return Payload.of(claim, fence).encode();
    }

    @Override
    CompletableFuture<Boolean> delete(Session now) {
        return nodeUncertain ? host.removal().deleteAll(now, claim) : now.delete(nodePath(node));
    }

    @Override
    List<String> nodes() {
        return List.of(nodePath(node));
    }

    @Override
    boolean uses(String nodePath) {
        return nodePath.equals(nodePath(node));
    }

    private String nodePath(@Nullable String name) {
        return path + '/' + name;
    }
}
