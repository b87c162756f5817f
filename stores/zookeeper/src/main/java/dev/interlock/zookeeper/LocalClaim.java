package dev.interlock.zookeeper;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Tether;
import dev.interlock.spi.Wake;
import dev.interlock.support.EventLoop;
import dev.interlock.support.Futures;
import dev.interlock.zookeeper.node.NodeName;
import dev.interlock.zookeeper.node.Paths;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * The life of one claim of this client: the nodes it has in ZooKeeper, whether it waits or holds, and until when. The
 * subclasses know the nodes of each kind of lock.
 *
 * <pre>
 *  ENTERING ---> WAITING <---> READY ---> HELD ---> LOST
 *     | |           |            ^          ^
 *     | |           '------------+----------+
 *     | '------------------------'          |
 *     '-------------------------------------'
 *
 *  any state ---> ENDED       released, expired, refused or given up
 *  any state ---> ENTERING    queues anew
 * </pre>
 *
 * <p>A claim that enters holds at once if nobody is in its way, and is ready at once if a latch opens before its node
 * exists. A waiting claim holds at once if it asks in another mode, and finds that nobody is in its way. When the
 * session ends, a held claim is lost, and any other has ended. A held claim may also be lost with the connection.
 * {@link ClaimState} has the same moves as data, and {@link #move} is the only method that changes the state.
 *
 * <p><b>Steps.</b> Operations on a claim that need an answer of ZooKeeper are steps: {@link #next} starts one when the
 * step before it is complete. Three things do not wait for their turn, because a step that is under way must see them:
 * the end of the session, the deletion of the claim's own node, and the opening of a latch. A step that changes the
 * state after an answer therefore looks at the state again.
 *
 * <p><b>Guards.</b> Every field is guarded by the event loop: only its thread reads or writes them, so there is no
 * lock, and no lock order.
 */
abstract class LocalClaim implements NodeListener {

    /** How long a waiting claim keeps its place without asking again: a place that nobody uses keeps others waiting. */
    static final Duration PLACE = Duration.ofSeconds(5);

    /** The longest time between two requests of a waiting claim. */
    static final Duration ASK_AGAIN = PLACE.dividedBy(4);

    /** When a claim that was refused, and of which nothing is kept, may ask again. */
    static final Duration RETRY = Duration.ofMillis(100);

    /** How often a node is created anew when the servers remove its parent at the same moment. */
    static final int TRIES = 5;

    /** How long a lost claim is remembered. */
    private static final Duration MEMORY = Duration.ofMinutes(1);

    /** The part of the store that claims use. Its methods are called on the event loop. */
    interface Host {

        EventLoop loop();

        Paths paths();

        /** What the nodes of locks are called. */
        NodeName.Role lockRole();

        Watches watches();

        NodeRemoval removal();

        /** The session, as soon as there is a connection. */
        CompletableFuture<Session> session();

        /**
         * Registers a claim that enters; it may have been removed when its session ended. Returns false if another
         * claim of the same owner has taken its place.
         */
        boolean register(LocalClaim claim);

        /** Removes a claim, and its watches. */
        void remove(LocalClaim claim);

        /** Looks after a claim from now on: its time, and the proof of its session. */
        void watch(LocalClaim claim);

        /** Passes a wake on to the engine. */
        void wake(Wake wake);

        /**
         * Ends the claim of this owner, because another claim replaces it. Completes when the removal of its nodes has
         * been sent, with false if the claim is not known here.
         */
        CompletableFuture<Boolean> replace(OwnerId owner);

        /** Finds out why a claim has no node. */
        CompletableFuture<Renewal> whyAbsent(Claim claim);
    }

    final Host host;
    final LockId id;
    final OwnerId owner;
    final String path;
    Claim claim;

    @Nullable
    Session session;

    private ClaimState state = ClaimState.ENTERING;
    private Tether tether = Tether.NONE;

    /** When the lease, the place or the memory of the claim ends, by {@link System#nanoTime}; unset while it enters. */
    private long endNanos;

    /** The lease that the claim's node shows. */
    private long shownLeaseNanos;

    private final Set<String> watched = new HashSet<>();

    /** The last step that has been queued. */
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    /** Completes when the removal of the claim's nodes has been sent. */
    private final CompletableFuture<Boolean> removalSent = new CompletableFuture<>();

    LocalClaim(Host host, Claim claim) {
        this.host = host;
        this.claim = claim;
        this.id = claim.id();
        this.owner = claim.owner();
        this.path = host.paths().of(id);
        this.shownLeaseNanos = claim.lease().toNanos();
    }

    // ---- for the subclasses to implement; each is called as part of a step, if not said otherwise

    /** Acquires the claim. */
    abstract CompletableFuture<Attempt> acquire(Session now, QueuedAnswer<Attempt> answer);

    /** Whether the nodes of a held claim exist, and belong to this session. */
    abstract CompletableFuture<Boolean> exists(Session now);

    /** Writes the claim's data into its node again. */
    abstract CompletableFuture<Boolean> rewrite(Session now);

    /** Deletes the claim's nodes. Returns whether there was one. */
    abstract CompletableFuture<Boolean> delete(Session now);

    /** The paths of the nodes of a held claim. Not a step. */
    abstract List<String> nodes();

    /** Whether the claim uses this node. Not a step. */
    abstract boolean uses(String nodePath);

    /** The claim holds from now on, and watches nothing. Not a step. */
    void held() {}

    /** The connection is back after an interruption, in which events may have been missed. Not a step. */
    abstract void reconnected();

    // ---- verbs

    final void acquire(Claim asked, QueuedAnswer<Attempt> answer) {
        CompletableFuture<Attempt> step = next(() -> {
            if (!answer.isWanted()) {
                return abandoned();
            }
            claim = asked;
            return host.session().thenCompose(now -> {
                // The session may have ended since the request came, and the claim's node with it.
                boolean wanted = answer.begin();
                boolean proceeds = state.hasNode() || (wanted && host.register(this));
                return proceeds ? acquire(now, answer) : abandoned();
            });
        });
        var unused = step.whenComplete((attempt, failure) -> {
            if (failure != null && state == ClaimState.ENTERING) {
                host.remove(this);
            }
            host.watch(this);
            Futures.pass(attempt, failure, answer);
        });
    }

    private static CompletableFuture<Attempt> abandoned() {
        return CompletableFuture.failedFuture(new InterruptedException("The caller has given up the request"));
    }

    final CompletableFuture<Renewal> renew(Claim renewed) {
        return next(() -> {
            Session now = session;
            if (state == ClaimState.LOST
                    || now == null
                    || now.isOver()
                    || (state == ClaimState.HELD && tether.leftNanos() <= 0)) {
                return CompletableFuture.completedFuture(Renewal.SESSION_LOST);
            }
            if (state != ClaimState.HELD) {
                return host.whyAbsent(renewed);
            }
            return exists(now).thenCompose(there -> {
                if (!there) {
                    end("its node has gone");
                    host.remove(this);
                    return host.whyAbsent(renewed);
                }
                claim = claim.withLease(renewed.lease());
                endNanos = System.nanoTime() + renewed.lease().toNanos();
                host.watch(this);
                return showLease(now).thenApply(done -> Renewal.HELD);
            });
        });
    }

    /** Writes the lease into the node, for people who look, if it is of quite another length than before. */
    private CompletableFuture<Boolean> showLease(Session now) {
        long lease = claim.lease().toNanos();
        if (Math.abs(lease - shownLeaseNanos) <= shownLeaseNanos / 8) {
            return CompletableFuture.completedFuture(true);
        }
        shownLeaseNanos = lease;
        return rewrite(now).exceptionally(failure -> false);
    }

    /** Ends the claim. Returns whether it was held. Nodes that cannot be deleted now are deleted later. */
    final CompletableFuture<Boolean> release() {
        host.remove(this);
        if (isHeld() && tether.leftNanos() <= 0) {
            deleteUnanswered();
        }
        return next(() -> {
            CompletableFuture<Boolean> released = endAndDelete("released");
            removalSent.complete(true);
            return released;
        });
    }

    /**
     * Deletes the nodes of a claim that the engine has lost, because nothing proves its session. The step before may
     * wait for an answer that does not come either, while requests still arrive: then only this opens the name, before
     * the servers end the session. They execute it behind the requests of that step.
     */
    private void deleteUnanswered() {
        Session now = session;
        if (now != null && !now.isOver()) {
            var unused = delete(now).exceptionally(failure -> false);
        }
    }

    /** Ends the claim, because another replaces it. Completes when the removal of its nodes has been sent. */
    final CompletableFuture<Boolean> replaced() {
        var unused = release();
        return removalSent;
    }

    /** Whether the claim's time is over. A claim that enters has no end yet. */
    final boolean isOver() {
        return state != ClaimState.ENTERING && System.nanoTime() - endNanos >= 0;
    }

    /** Ends the claim if its time is still over when the step starts: the step before may just be granting it. */
    final void endIfOver() {
        var unused = next(() -> {
            if (isOver()) {
                return endAndDelete("its time is over");
            }
            host.watch(this);
            return CompletableFuture.completedFuture(false);
        });
    }

    private CompletableFuture<Boolean> endAndDelete(String reason) {
        Session now = session;
        boolean held = isHeld();
        boolean hasNode = state.hasNode();
        end(reason);
        // A step before this one may have registered it again.
        host.remove(this);
        if (!hasNode || now == null || now.isOver()) {
            return CompletableFuture.completedFuture(false);
        }
        return Futures.either(delete(now), (there, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(there && held);
            }
            deleteLater();
            return Failures.is(failure, Code.SESSIONEXPIRED)
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure);
        });
    }

    /** The session has ended. Not a step: one that is under way must not grant what the session has taken along. */
    final void sessionEnded() {
        if (isHeld()) {
            lose("its session has ended");
            return;
        }
        // The session may be over for this client alone, which cannot wait any longer to know: then its nodes exist.
        deleteLater();
        if (state != ClaimState.LOST) {
            boolean waited = state == ClaimState.WAITING || state == ClaimState.READY;
            end("its session has ended");
            host.remove(this);
            if (waited) {
                // It has to queue again.
                wake();
            }
        }
    }

    /** The held claim is lost, although its nodes may exist. Not a step. */
    final void lose(String reason) {
        deleteLater();
        move(ClaimState.LOST, reason);
        endNanos = System.nanoTime() + MEMORY.toNanos();
        // The engine learns of it now, and not when the tether would have ended.
        wake();
    }

    // ---- the end of the numbers

    /** Whether the number of this node says nothing about who came first: then the claim may not stand in the queue. */
    static boolean isOutOfOrder(String node) {
        NodeName name = NodeName.parse(node);
        return name == null || !name.isInOrder();
    }

    /** Leaves the queue, and enters it again under a new parent; or later, if others still stand under this one. */
    static CompletableFuture<Attempt> renumber(
            Session now, String parent, String own, Supplier<CompletableFuture<Attempt>> again, int tries) {
        return Renumbering.begin(now, parent, own)
                .thenCompose(gone ->
                        gone && tries > 0 ? again.get() : CompletableFuture.completedFuture(Attempt.busy(ASK_AGAIN)));
    }

    // ---- moves between states

    /** The claim (again) creates its node, in this session. */
    final void enter(Session now) {
        move(ClaimState.ENTERING, "it enters the queue");
        session = now;
    }

    /** Grants the claim, for its lease from now on. */
    final CompletableFuture<Attempt> hold(Tether sessionTether, long fence) {
        if (state == ClaimState.ENDED) {
            return endedMeanwhile();
        }
        move(ClaimState.HELD, "it is granted");
        unwatch();
        held();
        tether = sessionTether;
        return CompletableFuture.completedFuture(keepHeld(fence));
    }

    /** The claim is held, and its lease begins anew. */
    final Attempt keepHeld(long fence) {
        endNanos = System.nanoTime() + claim.lease().toNanos();
        return Attempt.granted(fence, tether);
    }

    /** The claim waits for its turn, and keeps its place for some time from now on. */
    final CompletableFuture<Attempt> waitInQueue() {
        if (state == ClaimState.ENDED) {
            return endedMeanwhile();
        }
        if (state != ClaimState.WAITING) {
            move(ClaimState.WAITING, "others are in its way");
        }
        return CompletableFuture.completedFuture(keepPlace());
    }

    /** The claim keeps its place, in the state that it is in. */
    final Attempt keepPlace() {
        endNanos = System.nanoTime() + PLACE.toNanos();
        return Attempt.busy(ASK_AGAIN);
    }

    /** The session ended while a step was waiting for its last answer, which came all the same. */
    private CompletableFuture<Attempt> endedMeanwhile() {
        deleteLater();
        return CompletableFuture.failedFuture(Failures.sessionExpired(path));
    }

    /** It is the claim's turn; its place is kept for some time from now on. */
    final void ready() {
        move(ClaimState.READY, "nobody is in its way");
        var unused = keepPlace();
    }

    /** Nothing is left to be done for the claim, but perhaps to delete its nodes. */
    final void end(String reason) {
        if (state != ClaimState.ENDED) {
            move(ClaimState.ENDED, reason);
        }
    }

    private void move(ClaimState to, String reason) {
        assert host.loop().isCurrent() : "A claim may be changed on the event loop only";
        if (!state.mayBecome(to)) {
            throw new IllegalStateException("A claim cannot go from " + state + " to " + to + ": node=" + path
                    + ", owner=" + owner.value() + ", reason=" + reason);
        }
        state = to;
    }

    final ClaimState state() {
        return state;
    }

    final boolean isHeld() {
        return state == ClaimState.HELD;
    }

    final boolean isWaiting() {
        return state == ClaimState.WAITING;
    }

    // ---- for the subclasses to use

    final void wake() {
        host.wake(new Wake.Changed(id, owner));
    }

    /** Deletes what may exist of the claim, as soon as possible and until ZooKeeper says that nothing is left. */
    final void deleteLater() {
        host.removal().add(claim);
    }

    /**
     * Registers the claim as a listener of this node as long as it waits, or holds if it watches it again then. Returns
     * the watcher to read the node with.
     */
    final Watcher watching(String nodePath) {
        watched.add(nodePath);
        return host.watches().add(nodePath, this);
    }

    final void unwatch() {
        watched.forEach(nodePath -> host.watches().remove(nodePath, this));
        watched.clear();
    }

    /** When the claim's lease, place or memory ends. */
    final long endNanos() {
        return endNanos;
    }

    /** The rest of its lease. */
    final Duration left() {
        return Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
    }

    /** Starts the step when all steps before it are complete. */
    final <T> CompletableFuture<T> next(Supplier<CompletableFuture<T>> step) {
        CompletableFuture<T> result = last.handle((value, failure) -> 0).thenCompose(before -> step.get());
        last = result;
        return result;
    }
}
