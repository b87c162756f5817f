package dev.interlock.zookeeper;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.zookeeper.NodeName.Role;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * A claim of a lock or a read/write lock: one node in the line of its name.
 *
 * <p><b>To come</b> costs one round trip: the node is made and the line is read in one go. One that only tries reads
 * the line first, and makes a node if it is free: a failed try writes nothing.
 *
 * <p><b>To wait</b> is to watch the nearest node that is in the way, see {@link Waiting}.
 */
final class LineStanding extends Standing {

    /** So often a node is made anew when its parent goes at the same moment. */
    private static final int TRIES = 5;

    private final Waiting waiting = new Waiting(this);
    private final Revocation revocation = new Revocation(this, this::data);
    private Role role = Role.LOCK;
    private @Nullable String node;
    private long fence;

    /** Whether a change of the node has an unknown outcome: then it may be called otherwise. */
    private boolean unsure;

    LineStanding(Standings all, Claim claim) {
        super(all, claim);
    }

    /** As which it stands in line. */
    Role role() {
        return role;
    }

    /** The name of its node. */
    String node() {
        return String.valueOf(node);
    }

    private static Role role(Claim claim) {
        if (claim.id().kind() == LockKind.LOCK) {
            return Role.LOCK;
        }
        return claim.mode() instanceof Mode.Shared ? Role.READ : Role.WRITE;
    }

    @Override
    CompletableFuture<Attempt> asked(Session now, CompletableFuture<Attempt> answer) {
        return switch (state) {
            case WAITING -> role == role(claim) ? again(now) : changed(now);
            case READY -> role == role(claim) ? turn(now) : changed(now);
            case HELD -> role == Role.WRITE && role(claim) == Role.READ ? changed(now) : repeated(now);
            case NEW, LOST, GONE -> come(now);
        };
    }

    // ---- to come

    private CompletableFuture<Attempt> come(Session now) {
        session = now;
        state = State.NEW;
        node = null;
        waiting.over();
        role = role(claim);
        OwnerId earlier = claim.replaces();
        if (earlier == null) {
            return claim.waited() != null ? enter(now, TRIES) : look(now);
        }
        return all.replaced(earlier).thenCompose(known -> known ? enter(now, TRIES) : inPlaceOf(earlier, now));
    }

    /** The earlier claim is not known here any more; its nodes may stand. */
    private CompletableFuture<Attempt> inPlaceOf(OwnerId earlier, Session now) {
        return now.childrenOrNone(path).thenCompose(children -> {
            // Sent before what follows, and so done before it.
            Line.ordered(children).stream()
                    .filter(node -> node.isOf(earlier))
                    .forEach(node -> now.delete(path + '/' + node.text()).exceptionally(failure -> false));
            return enter(now, TRIES);
        });
    }

    private CompletableFuture<Attempt> look(Session now) {
        return now.childrenOrNone(path).thenCompose(children -> {
            boolean free = Line.of(id, path, children).inTheWayOf(role).isEmpty();
            return free ? enter(now, TRIES) : CompletableFuture.completedFuture(Attempt.busy(SOON));
        });
    }

    private CompletableFuture<Attempt> enter(Session now, int tries) {
        String prefix = path + '/' + NodeName.prefix(owner) + role.text;
        CompletableFuture<Session.Created> made =
                now.create(prefix, Payload.of(claim, 0).encode(), CreateMode.EPHEMERAL_SEQUENTIAL);
        CompletableFuture<List<String>> children = now.childrenOrNone(path);
        CompletableFuture<Attempt> entered = Answers.either(made, (created, failure) -> {
            if (failure == null) {
                node = Paths.name(created.path());
                fence = created.stat().getCzxid();
                return children.thenCompose(
                        line -> now.hasRoomFor(line.size()) ? placed(now, line) : leave(now, line.size()));
            }
            return Failures.is(failure, Code.NONODE) && tries > 0
                    ? now.containers(path).thenCompose(done -> enter(now, tries - 1))
                    : CompletableFuture.failedFuture(failure);
        });
        return entered.whenComplete((attempt, failure) -> {
            if (failure != null && state == State.NEW) {
                // Whether it was made is not known, or nobody knows of it: it goes.
                all.leavings().add(claim);
            }
        });
    }

    /** With one more, nobody could look at the line any longer. */
    private CompletableFuture<Attempt> leave(Session now, int nodes) {
        return remove(now)
                .thenCompose(gone -> CompletableFuture.failedFuture(Failures.full(path, nodes, now.longestAnswer())));
    }

    private CompletableFuture<Attempt> placed(Session now, List<String> children) {
        Line line = Line.of(id, path, children);
        NodeName mine = mine(line);
        if (mine == null) {
            return CompletableFuture.failedFuture(Failures.vanished(path + '/' + node));
        }
        List<NodeName> inTheWay = line.inTheWayOf(mine);
        if (inTheWay.isEmpty()) {
            return CompletableFuture.completedFuture(hold(now, fence));
        }
        if (claim.waited() == null) {
            return remove(now).thenApply(gone -> Attempt.busy(SOON));
        }
        Attempt busy = wait(State.WAITING);
        waiting.behind(now, inTheWay);
        return CompletableFuture.completedFuture(busy);
    }

    @Nullable
    NodeName mine(Line line) {
        return line.all().stream()
                .filter(each -> each.text().equals(node))
                .findFirst()
                .orElse(null);
    }

    // ---- to wait

    @Override
    void happened(EventType type, String nodePath) {
        waiting.happened(type, nodePath);
    }

    /** Somebody has deleted its own node: it lines up again. */
    void gone() {
        state = State.GONE;
        all.forget(this);
        all.wake(this);
    }

    /** It asks again: is the nearest still there? */
    private CompletableFuture<Attempt> again(Session now) {
        return waiting.again(now).thenCompose(done -> told(now));
    }

    private CompletableFuture<Attempt> told(Session now) {
        return switch (state) {
            case READY -> turn(now);
            case WAITING -> CompletableFuture.completedFuture(wait(State.WAITING));
            default -> all.remember(this) ? come(now) : CompletableFuture.completedFuture(Attempt.busy(SOON));
        };
    }

    private CompletableFuture<Attempt> turn(Session now) {
        if (now.tether().leftNanos() > 0) {
            return CompletableFuture.completedFuture(hold(now, fence));
        }
        // It was its turn; whether the session lives is to be seen.
        state = State.WAITING;
        return now.prove("/").thenCompose(done -> waiting.lookAgain(now)).thenCompose(done -> told(now));
    }

    // ---- to change

    /**
     * From writer to reader in its place, without a moment in between. From reader to writer there is none: those
     * behind have looked for writers before them, and will not look again.
     */
    private CompletableFuture<Attempt> changed(Session now) {
        // That its node goes from now on is its own doing.
        waiting.over();
        waiting.blind();
        if (role == Role.READ) {
            return remove(now).thenCompose(gone -> come(now));
        }
        String write = String.valueOf(node);
        String read = NodeName.prefix(owner) + Role.READ.text + write.substring(write.length() - 10);
        String readPath = path + '/' + read;
        boolean held = isHeld();
        List<Op> ops = List.of(
                Op.create(readPath, Payload.of(claim, fence).encode(), now.acl(readPath), CreateMode.EPHEMERAL),
                Op.delete(path + '/' + write, -1));
        return Answers.either(now.multi(ops), (done, failure) -> {
            if (failure == null || Failures.is(failure, Code.NODEEXISTS)) {
                role = Role.READ;
                node = read;
                unsure = false;
                if (revocation.isListening()) {
                    var unused = revocation.stands(now, readPath);
                }
                return held
                        ? CompletableFuture.completedFuture(keep(fence))
                        : now.childrenOrNone(path).thenCompose(children -> placed(now, children));
            }
            if (Failures.is(failure, Code.NONODE)) {
                return come(now);
            }
            unsure = true;
            return CompletableFuture.failedFuture(failure);
        });
    }

    private CompletableFuture<Attempt> repeated(Session now) {
        return stands(now).thenCompose(there -> there ? CompletableFuture.completedFuture(keep(fence)) : come(now));
    }

    // ---- to stay and to go

    @Override
    CompletableFuture<Boolean> stands(Session now) {
        return revocation
                .stands(now, path + '/' + node)
                .thenCompose(mine -> mine || !unsure ? CompletableFuture.completedFuture(mine) : settled(now));
    }

    /** Finds out how the node is called after a change of unknown outcome. */
    private CompletableFuture<Boolean> settled(Session now) {
        return now.childrenOrNone(path).thenApply(children -> {
            NodeName found = Line.of(id, path, children).of(owner);
            if (found != null) {
                node = found.text();
                role = found.role();
            }
            return found != null;
        });
    }

    @Override
    CompletableFuture<Boolean> note(Session now) {
        return revocation.note(now);
    }

    private byte[] data() {
        return Payload.of(claim, fence).encode();
    }

    @Override
    CompletableFuture<Boolean> remove(Session now) {
        return unsure ? all.removeAll(now, claim) : now.delete(path + '/' + node);
    }

    @Override
    boolean standsOn(String nodePath) {
        return nodePath.equals(path + '/' + node);
    }

    @Override
    void reconnected() {
        if (state == State.WAITING && waiting.isBlind()) {
            Session now = session;
            var unused = next(() -> state == State.WAITING && now != null
                    ? waiting.lookAgain(now)
                    : CompletableFuture.completedFuture(false));
        }
    }
}
