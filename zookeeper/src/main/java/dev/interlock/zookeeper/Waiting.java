package dev.interlock.zookeeper;

import dev.interlock.zookeeper.NodeName.Role;
import dev.interlock.zookeeper.Standing.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The waiting of a claim in the line of its name: who is in its way, and the watches that tell when they are not any
 * more. Used on the loop only.
 *
 * <p>It watches the nearest node that is in the way. When that goes and was the only one, it is this one's turn without
 * another look: whoever comes later stands behind. That is not so for a writer, as one before it may have become a
 * reader under a new node; it looks again. It watches its own node as well: if somebody deletes that, those behind
 * stand where it stood.
 */
final class Waiting {

    /** From so many on it is cheaper to read the line than to look for each. */
    private static final int MANY = 32;

    private final LineStanding me;

    /** Who is in the way, as far as is known, the nearest last. */
    private List<NodeName> inTheWay = List.of();

    /** Whether its own node or the nearest may have gone unseen. */
    private boolean blind;

    /** Its own node while it waits, from when it is watched until it is to be left; null otherwise. */
    private @Nullable String kept;

    Waiting(LineStanding me) {
        this.me = me;
    }

    /** It waits from now on, for these: the nearest last, and at least one. */
    void behind(Session now, List<NodeName> others) {
        inTheWay = others;
        watch(now);
    }

    /** Its node is to be left: that it goes is no loss any more. */
    void over() {
        kept = null;
    }

    /** What it knows of others may be out of date. */
    void blind() {
        blind = true;
    }

    boolean isBlind() {
        return blind;
    }

    /** Events come in order: that its own node went is told before the nearest did, if it went before. */
    private void watch(Session now) {
        blind = false;
        if (kept == null) {
            watchOwn(now);
        }
        watchNearest(now);
    }

    private void watchOwn(Session now) {
        String own = me.node();
        kept = own;
        String ownPath = me.path + '/' + own;
        var unused = now.read(ownPath, me.watching(ownPath)).whenComplete((read, failure) -> {
            if (Failures.is(failure, Code.NONODE)) {
                vanished(own);
            } else if (failure != null && own.equals(kept)) {
                kept = null;
                blind = true;
            }
        });
    }

    private void watchNearest(Session now) {
        NodeName nearest = nearest();
        var unused = readWatched(now, nearest).whenComplete((read, failure) -> {
            if (Failures.is(failure, Code.NONODE)) {
                went(nearest);
            } else if (failure != null) {
                blind = true;
            }
        });
    }

    private CompletableFuture<Session.Read> readWatched(Session now, NodeName other) {
        String otherPath = me.path + '/' + other.text();
        return now.read(otherPath, me.watching(otherPath));
    }

    private NodeName nearest() {
        return inTheWay.get(inTheWay.size() - 1);
    }

    /** As {@link Standing#happened}. */
    void happened(EventType type, String nodePath) {
        Session now = me.session;
        String name = Paths.name(nodePath);
        if (now != null && name.equals(kept)) {
            happenedToOwn(now, type, name);
            return;
        }
        if (me.state != State.WAITING
                || now == null
                || inTheWay.isEmpty()
                || !nearest().text().equals(name)) {
            return;
        }
        if (type == EventType.NodeDeleted) {
            went(nearest());
        } else if (type == EventType.NodeDataChanged) {
            // It was asked to let go; it has not yet.
            watchNearest(now);
        }
    }

    private void happenedToOwn(Session now, EventType type, String own) {
        if (type == EventType.NodeDeleted) {
            vanished(own);
        } else if (type == EventType.NodeDataChanged && me.state == State.WAITING) {
            watchOwn(now);
        }
    }

    /**
     * Somebody has deleted its own node: it lines up again. At once, and not as a step: one that is under way must not
     * find that it is its turn.
     */
    private void vanished(String own) {
        if (own.equals(kept) && (me.state == State.WAITING || me.state == State.READY)) {
            me.gone();
        }
    }

    private void went(NodeName gone) {
        var unused = me.next(() -> afterGone(gone));
    }

    /** The nearest has gone: whose turn is it now? */
    private CompletableFuture<Boolean> afterGone(NodeName gone) {
        Session now = me.session;
        if (me.state != State.WAITING
                || now == null
                || inTheWay.isEmpty()
                || !nearest().equals(gone)) {
            return CompletableFuture.completedFuture(false);
        }
        List<NodeName> others = inTheWay.subList(0, inTheWay.size() - 1);
        boolean certain = me.role() != Role.WRITE && !blind && now.tether().leftNanos() > 0;
        if (certain && others.isEmpty()) {
            me.ready();
            return CompletableFuture.completedFuture(true);
        }
        return certain && me.role() == Role.READ && others.size() <= MANY ? lookFor(now, others) : lookAgain(now);
    }

    /** A reader knows all writers that will ever be before it. */
    private CompletableFuture<Boolean> lookFor(Session now, List<NodeName> writers) {
        List<CompletableFuture<Boolean>> there = writers.stream()
                .map(each -> now.exists(me.path + '/' + each.text()))
                .toList();
        return Answers.all(there)
                .thenApply(done -> {
                    List<NodeName> left = new ArrayList<>();
                    for (int i = 0; i < writers.size(); i++) {
                        if (there.get(i).join()) {
                            left.add(writers.get(i));
                        }
                    }
                    return stillBehind(now, left);
                })
                .whenComplete((done, failure) -> blind |= failure != null);
    }

    /** Reads the line, to know who is in the way, or that nobody is. */
    CompletableFuture<Boolean> lookAgain(Session now) {
        // The proof is for the tether, if that has come to an end meanwhile.
        var unused = now.prove("/");
        return now.childrenOrNone(me.path)
                .thenApply(children -> {
                    Line line = Line.of(me.id, me.path, children);
                    NodeName mine = me.mine(line);
                    if (mine != null) {
                        return stillBehind(now, line.inTheWayOf(mine));
                    }
                    if (me.state == State.WAITING) {
                        me.gone();
                    }
                    return false;
                })
                .whenComplete((done, failure) -> blind |= failure != null);
    }

    private boolean stillBehind(Session now, List<NodeName> others) {
        inTheWay = others;
        if (others.isEmpty()) {
            me.ready();
        } else if (me.state == State.WAITING) {
            watch(now);
        }
        return true;
    }

    /** It asks again: is the nearest still there? */
    CompletableFuture<Boolean> again(Session now) {
        if (blind) {
            return lookAgain(now);
        }
        NodeName nearest = nearest();
        return Answers.either(
                readWatched(now, nearest),
                (read, failure) -> failure == null
                        ? CompletableFuture.completedFuture(true)
                        : Failures.is(failure, Code.NONODE)
                                ? afterGone(nearest)
                                : CompletableFuture.failedFuture(failure));
    }
}
