package dev.interlock.zookeeper;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.Renewal;
import dev.interlock.support.EventLoop;
import dev.interlock.support.Futures;
import dev.interlock.support.SessionClaim;
import dev.interlock.support.SessionClaims;
import dev.interlock.zookeeper.node.NodeName;
import dev.interlock.zookeeper.node.Paths;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * One claim of this client, and the order of what is asked for it. {@link SessionClaim} has its states; the subclasses
 * know the nodes of each kind of lock.
 *
 * <p><b>Steps.</b> Operations on a claim that need an answer of ZooKeeper are steps: {@link #next} starts one when the
 * step before it is complete. Three things do not wait for their turn, because a step that is under way must see them:
 * the end of the session, the deletion of the claim's own node, and the opening of a latch. A step that changes the
 * state after an answer therefore looks at the state again.
 *
 * <p><b>Guards.</b> Every field is guarded by the event loop: only its thread reads or writes them, so there is no
 * lock, and no lock order.
 */
abstract class LocalClaim extends SessionClaim implements NodeListener {

    /** How often a node is created anew when the servers remove its parent at the same moment. */
    static final int TRIES = 5;

    /** The part of the store that claims use. Its methods are called on the event loop. */
    interface Host {

        /** All claims of this client. */
        SessionClaims<LocalClaim> books();

        EventLoop loop();

        Paths paths();

        /** What the nodes of locks are called. */
        NodeName.Role lockRole();

        Watches watches();

        NodeRemoval removal();

        /** The session, as soon as there is a connection. */
        CompletableFuture<Session> session();

        /** Has the session of this claim proved from now on; removes a claim that neither waits nor was granted. */
        void watch(LocalClaim claim);

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

    @Nullable
    Session session;

    /** The lease that the claim's node shows. */
    private long shownLeaseNanos;

    private final Set<String> watched = new HashSet<>();

    /** The last step that has been queued. */
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    /** Completes when the removal of the claim's nodes has been sent. */
    private final CompletableFuture<Boolean> removalSent = new CompletableFuture<>();

    LocalClaim(Host host, Claim claim) {
        super(host.books(), claim, "node=" + host.paths().of(claim.id()));
        this.host = host;
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
                boolean proceeds = state().isStored() || (wanted && host.books().register(this));
                return proceeds ? acquire(now, answer) : abandoned();
            });
        });
        var unused = step.whenComplete((attempt, failure) -> {
            host.watch(this);
            Futures.pass(attempt, failure, answer);
        });
    }

    private static CompletableFuture<Attempt> abandoned() {
        return CompletableFuture.failedFuture(new InterruptedException("The caller has given up the request"));
    }

    final CompletableFuture<Renewal> renew(Claim asked) {
        return next(() -> {
            Session now = session;
            if (state() == State.LOST || now == null || now.isOver() || isUnproved()) {
                return CompletableFuture.completedFuture(Renewal.SESSION_LOST);
            }
            if (!isHeld()) {
                return host.whyAbsent(asked);
            }
            return exists(now).thenCompose(there -> {
                Renewal outcome = renewed(there, asked.lease());
                if (outcome == null) {
                    return host.whyAbsent(asked);
                }
                return outcome == Renewal.HELD
                        ? showLease(now).thenApply(done -> outcome)
                        : CompletableFuture.completedFuture(outcome);
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
        leaveBooks();
        if (isUnproved()) {
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

    /** Ends the claim if its time is still over when the step starts: the step before may just be granting it. */
    final void endIfOver() {
        var unused = next(() -> isOver() ? endAndDelete("its time is over") : CompletableFuture.completedFuture(false));
    }

    private CompletableFuture<Boolean> endAndDelete(String reason) {
        Session now = session;
        boolean held = isHeld();
        boolean isStored = state().isStored();
        // A step before this one may have registered it again.
        forget(reason);
        if (!isStored || now == null || now.isOver()) {
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
        enter();
        session = now;
    }

    @Override
    protected final void moved(State to) {
        if (to == State.HELD || to == State.ENDED) {
            unwatch();
        }
        if (to == State.HELD) {
            held();
        }
    }

    /** Removes the claim before it has ended, or after it has. It watches nothing any more. Not a step. */
    final void leaveBooks() {
        unwatch();
        host.books().remove(this);
    }

    @Override
    protected final Exception endedMeanwhile() {
        return Failures.sessionExpired(path);
    }

    // ---- for the subclasses to use

    /** Deletes what may exist of the claim, as soon as possible and until ZooKeeper says that nothing is left. */
    @Override
    protected final void deleteLater() {
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

    /** Starts the step when all steps before it are complete. */
    final <T> CompletableFuture<T> next(Supplier<CompletableFuture<T>> step) {
        CompletableFuture<T> result = last.handle((value, failure) -> 0).thenCompose(before -> step.get());
        last = result;
        return result;
    }
}
