package dev.interlock.zookeeper;

import dev.interlock.spi.Printable;
import dev.interlock.spi.Tether;
import dev.interlock.support.Futures;
import dev.interlock.zookeeper.Session.ChildNodes;
import dev.interlock.zookeeper.node.NodeName;
import dev.interlock.zookeeper.node.Paths;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * One party in a double barrier, by the rules of Curator's {@code DistributedDoubleBarrier}. Below the node of the
 * barrier each party has an ephemeral node, and {@code ready} says that the barrier is open.
 *
 * <pre>
 *  ENTERING ---> INSIDE ---> LEAVING ---> GONE       any state ---> GONE   given up
 * </pre>
 *
 * <ul>
 *   <li><b>Entering.</b> A party creates its node. It is inside if there are as many as it wants, and then creates
 *       {@code ready}; if {@code ready} exists beside the node of another party; or if it sees {@code ready} being
 *       created, even if that has gone again. A {@code ready} with nobody beside it was left behind by parties that all
 *       died, and is deleted.
 *   <li><b>Leaving.</b> A party deletes its node and waits until nobody is left of those whom it has seen, but the
 *       first in the order of names keeps its node until it is the last: Curator's parties wait for that one. The last
 *       one deletes its node, {@code ready} and the node of the barrier in one transaction, which fails if somebody
 *       enters. So nobody enters by the {@code ready} of a generation that is over.
 * </ul>
 *
 * <p>The methods are called on the event loop, which guards every field, except for {@link #leftNanos}.
 */
final class Entrant implements NodeListener {

    private static final String READY = "ready";

    private enum State {
        /** Has a node, or is about to create one, and is not inside. */
        ENTERING,
        /** All have entered. */
        INSIDE,
        /** Waits until the others have left. */
        LEAVING,
        /** Has left, or given up; its node is deleted. */
        GONE
    }

    private final Barriers barriers;
    private final String name;
    private final String path;
    private final String ready;
    private final int parties;
    private final Change change = new Change();
    private final Set<String> watched = new HashSet<>();
    private State state = State.ENTERING;

    /** The session that the node belongs to; null until there is one. */
    private @Nullable Session session;

    /** A name of its own for each session, so that no node of an ended session is taken for this one. */
    private String node = "";

    private boolean hasNode;

    /** Whether {@code ready} was created while the node existed. */
    private boolean hasOpened;

    private volatile Tether tether = Tether.NONE;

    /** While it leaves: the parties that it waits for. */
    private @Nullable NavigableSet<String> inTheWay;

    /** While it leaves: nodes that are newer than this are of parties that came later. */
    private long seenZxid;

    /** Any thread may call it. */
    Entrant(Barriers barriers, String name, int parties) {
        this.barriers = barriers;
        this.name = name;
        this.path = barriers.path(name);
        this.ready = path + '/' + READY;
        this.parties = parties;
    }

    /** For how long the node of a party that is inside is certain to exist. Any thread may call it. */
    long leftNanos() {
        return tether.leftNanos();
    }

    // ---- entering

    /** Looks whether this party is inside. */
    CompletableFuture<BarrierView> enter() {
        CompletableFuture<Boolean> next = change.next();
        return barriers.session()
                .thenCompose(now -> enter(now, LocalClaim.TRIES))
                .thenApply(inside -> new BarrierView(inside, next));
    }

    private CompletableFuture<Boolean> enter(Session now, int tries) {
        if (state != State.ENTERING) {
            return CompletableFuture.failedFuture(hasLeft());
        }
        if (now != session) {
            session = now;
            node = UUID.randomUUID().toString();
            hasNode = false;
            barriers.attend(now, change);
        }
        // Before the node exists, so that it learns of each opening from then on; and again, as a watch fires once.
        watched.add(ready);
        var unused = now.stat(ready, barriers.watch(ready, this)).exceptionally(failure -> Optional.empty());
        CompletableFuture<Boolean> stands = hasNode ? CompletableFuture.completedFuture(true) : createNode(now, tries);
        return stands.thenCompose(done -> {
                    // The proof keeps the tether fresh: without it nobody is inside.
                    CompletableFuture<Boolean> proved = now.prove("/");
                    return now.childNodes(path).thenCombine(proved, (children, live) -> children);
                })
                .thenCompose(found -> {
                    List<String> children = found.map(ChildNodes::names).orElse(List.of());
                    if (state != State.ENTERING || now != session) {
                        return CompletableFuture.failedFuture(hasLeft());
                    }
                    if (!children.contains(node)) {
                        // Somebody has deleted it.
                        hasNode = false;
                        return enterAgain(now, tries);
                    }
                    return decide(now, found.orElseThrow(), tries);
                });
    }

    private CompletableFuture<Boolean> enterAgain(Session now, int tries) {
        return tries > 0 ? enter(now, tries - 1) : CompletableFuture.failedFuture(Failures.vanished(path + '/' + node));
    }

    private CompletableFuture<Boolean> createNode(Session now, int tries) {
        return Futures.either(now.create(path + '/' + node, new byte[0], CreateMode.EPHEMERAL), (created, failure) -> {
            // Its name is unique, so a node of this name is its own: the first answer was lost.
            if (failure == null || Failures.is(failure, Code.NODEEXISTS)) {
                hasNode = true;
                // What was seen before this answer was before the node existed.
                hasOpened = false;
                return CompletableFuture.completedFuture(true);
            }
            if (Failures.is(failure, Code.NONODE) && tries > 0 && state == State.ENTERING) {
                return now.containers(path).thenCompose(done -> createNode(now, tries - 1));
            }
            return CompletableFuture.failedFuture(failure);
        });
    }

    private CompletableFuture<Boolean> decide(Session now, ChildNodes found, int tries) {
        refuseOtherRecipes(found.names());
        boolean open = found.names().contains(READY);
        int present = found.names().size() - (open ? 1 : 0);
        if (present >= parties && !open) {
            CompletableFuture<Session.CreatedNode> opening = now.create(ready, new byte[0], CreateMode.PERSISTENT);
            return Futures.either(
                    opening,
                    (created, failure) -> failure == null || Failures.is(failure, Code.NODEEXISTS)
                            ? CompletableFuture.completedFuture(comeIn(now))
                            : CompletableFuture.failedFuture(failure));
        }
        if (present >= parties || hasOpened || (open && present > 1)) {
            return CompletableFuture.completedFuture(comeIn(now));
        }
        if (open) {
            return endGeneration(now, true).thenCompose(ended -> {
                hasNode = hasNode && !ended;
                return enterAgain(now, tries);
            });
        }
        return CompletableFuture.completedFuture(false);
    }

    private boolean comeIn(Session now) {
        Tether current = now.tether();
        if (state != State.ENTERING || now != session) {
            return false;
        }
        if (current.leftNanos() <= 0) {
            // The session may be over: look again, with another proof.
            change.signal();
            return false;
        }
        state = State.INSIDE;
        tether = current;
        unwatch();
        return true;
    }

    private void refuseOtherRecipes(List<String> children) {
        for (String child : children) {
            if (NodeName.parse(child) != null || Paths.PARTS.contains('/' + child)) {
                var unused = withdraw();
                throw new IllegalStateException("The name of a double barrier must be used for nothing else on the same"
                        + " path, but there is a node of a lock; take another name: name=" + Printable.of(name)
                        + ", path=" + path
                        + ", node=" + child);
            }
        }
    }

    // ---- leaving

    /** Leaves, and looks whether all others have. */
    CompletableFuture<BarrierView> leave() {
        if (state == State.INSIDE) {
            state = State.LEAVING;
        }
        CompletableFuture<Boolean> next = change.next();
        return barriers.session().thenCompose(this::leave).thenApply(over -> {
            if (over) {
                end();
            }
            return new BarrierView(over, next);
        });
    }

    private CompletableFuture<Boolean> leave(Session now) {
        if (state != State.LEAVING) {
            return CompletableFuture.failedFuture(hasLeft());
        }
        return now.childNodes(path).thenCompose(found -> {
            List<String> members = new ArrayList<>(found.map(ChildNodes::names).orElse(List.of()));
            members.remove(READY);
            boolean stands = now == session && members.contains(node);
            NavigableSet<String> others = stillInTheWay(
                    members, found.map(each -> each.stat().getPzxid()).orElse(0L));
            if (others.isEmpty()) {
                return stands
                        ? goLast(now)
                        : found.isEmpty() ? CompletableFuture.completedFuture(true) : sweep(now, found.get());
            }
            boolean first = stands && node.compareTo(others.first()) < 0;
            if (stands && !first) {
                return now.delete(path + '/' + node).thenCompose(done -> awaitLeft(now, others.first()));
            }
            return awaitLeft(now, first ? others.last() : others.first());
        });
    }

    private NavigableSet<String> stillInTheWay(List<String> members, long zxid) {
        NavigableSet<String> others = inTheWay;
        if (others == null) {
            others = new TreeSet<>(members);
            others.remove(node);
            inTheWay = others;
            seenZxid = zxid;
        } else {
            others.retainAll(members);
        }
        return others;
    }

    /** Watches the node of another party, unless that has gone. One that came back since has a newer node. */
    private CompletableFuture<Boolean> awaitLeft(Session now, String other) {
        String otherPath = path + '/' + other;
        watched.add(otherPath);
        return now.readIfThere(otherPath, barriers.watch(otherPath, this)).thenCompose(read -> {
            NavigableSet<String> others = inTheWay;
            if (others == null || (read.isPresent() && read.get().stat().getCzxid() <= seenZxid)) {
                return CompletableFuture.completedFuture(false);
            }
            others.remove(other);
            return leave(now);
        });
    }

    /** Deletes the last node together with what says that the barrier is open. */
    private CompletableFuture<Boolean> goLast(Session now) {
        return endGeneration(now, true)
                .thenCompose(ended -> ended
                        ? CompletableFuture.completedFuture(true)
                        : now.delete(path + '/' + node).thenApply(done -> true));
    }

    /** Deletes what says that the barrier is open, if nobody is there any more. */
    private CompletableFuture<Boolean> sweep(Session now, ChildNodes found) {
        return found.names().equals(List.of(READY))
                ? endGeneration(now, false).thenApply(ended -> true)
                : CompletableFuture.completedFuture(true);
    }

    /**
     * Deletes {@code ready} and the node of the barrier, and this party's node, if that exists: all of them, or nothing
     * if another party is there, or {@code ready} is not. The node of the barrier would go by itself, as a container;
     * that it can be deleted shows that nobody is there.
     */
    private CompletableFuture<Boolean> endGeneration(Session now, boolean withOwn) {
        List<Op> deletions = new ArrayList<>();
        deletions.add(Op.delete(ready, -1));
        if (withOwn) {
            deletions.add(Op.delete(path + '/' + node, -1));
        }
        deletions.add(Op.delete(path, -1));
        return Futures.either(now.multi(deletions), (done, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(true);
            }
            return Failures.is(failure, Code.NOTEMPTY) || Failures.is(failure, Code.NONODE)
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure);
        });
    }

    // ---- the end

    /** Gives up, or leaves without waiting for the others. A deletion that fails is repeated. */
    CompletableFuture<Boolean> withdraw() {
        if (state == State.GONE) {
            return CompletableFuture.completedFuture(true);
        }
        end();
        return deleteNode();
    }

    private void end() {
        state = State.GONE;
        barriers.dismiss(change);
        unwatch();
    }

    private void unwatch() {
        Session last = session;
        if (last != null) {
            watched.forEach(each -> barriers.unwatch(last, each, this));
        }
        watched.clear();
    }

    private CompletableFuture<Boolean> deleteNode() {
        Session last = session;
        if (last == null || last.isOver()) {
            return CompletableFuture.completedFuture(true);
        }
        CompletableFuture<Boolean> deleted = last.delete(path + '/' + node)
                .thenCompose(done -> last.childNodes(path))
                .thenCompose(
                        found -> found.isEmpty() ? CompletableFuture.completedFuture(true) : sweep(last, found.get()));
        return Futures.either(deleted, (done, failure) -> {
            if (failure != null) {
                barriers.repeatLater(() -> {
                    var unused = deleteNode();
                });
            }
            return failure == null ? CompletableFuture.completedFuture(true) : CompletableFuture.failedFuture(failure);
        });
    }

    private IllegalStateException hasLeft() {
        return new IllegalStateException("The party has left double barrier '" + Printable.of(name) + "'");
    }

    @Override
    public void nodeChanged(EventType type, String nodePath) {
        if (type == EventType.NodeCreated && nodePath.equals(ready)) {
            hasOpened |= hasNode;
        }
        change.signal();
    }
}
