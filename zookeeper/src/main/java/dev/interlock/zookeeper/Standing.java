package dev.interlock.zookeeper;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Tether;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * What this client has of one claim in ZooKeeper: its node, whether it waits or holds, and until when. What is done
 * about it is done one step after the other. Used on the loop only.
 *
 * <pre>
 *  NEW -> WAITING -> READY -> HELD -> GONE
 *   |        any of them ------------> LOST, with the session
 *   +-------------------------> HELD
 * </pre>
 */
abstract class Standing {

    /**
     * How long a waiting claim keeps its place without asking again: so long one that nobody asks for keeps others
     * waiting.
     */
    static final Duration PLACE = Duration.ofSeconds(5);

    /** How often it is let ask, at least. */
    static final Duration ASK = PLACE.dividedBy(4);

    /** What a claim is told that is not kept: it may come again. */
    static final Duration SOON = Duration.ofMillis(100);

    /** How long it is remembered that a claim went with its session. */
    private static final Duration MEMORY = Duration.ofMinutes(1);

    /** Where it is in its life. */
    enum State {
        /** Nothing stands in ZooKeeper yet, or what does is not known. */
        NEW,
        /** Its node stands behind others. */
        WAITING,
        /** Its node stands first, and it has not been told yet. */
        READY,
        /** Granted. */
        HELD,
        /** Granted once, and gone with its session. */
        LOST,
        /** Released, over, or given up. */
        GONE
    }

    final Standings all;
    final LockId id;
    final OwnerId owner;
    final String path;
    Claim claim;
    State state = State.NEW;

    @Nullable
    Session session;

    private Tether tether = Tether.NONE;
    private long untilNanos;

    /** The lease that the node tells of. */
    private long saidNanos;

    private final Set<String> watched = new HashSet<>();

    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    /** Done when the removal of its nodes has been sent. */
    private final CompletableFuture<Boolean> leaving = new CompletableFuture<>();

    Standing(Standings all, Claim claim) {
        this.all = all;
        this.claim = claim;
        this.id = claim.id();
        this.owner = claim.owner();
        this.path = all.paths().of(id);
        this.saidNanos = claim.lease().toNanos();
    }

    // ---- what is asked of it

    /** One step of an acquire. */
    abstract CompletableFuture<Attempt> asked(Session now, CompletableFuture<Attempt> answer);

    /**
     * Whether the nodes of a held claim stand, as a step of a renewal; null if something else has to find out what
     * became of it.
     */
    abstract CompletableFuture<Boolean> stands(Session now);

    /** Writes anew what the nodes tell. */
    abstract CompletableFuture<Boolean> note(Session now);

    /** Deletes what there is of it, as the last step; whether there was something. */
    abstract CompletableFuture<Boolean> remove(Session now);

    /** Whether this node is what it stands on now. */
    abstract boolean standsOn(String nodePath);

    /** Something has happened to a node that it watches, or that another watches: what was told may be told again. */
    abstract void happened(EventType type, String nodePath);

    /** There was no connection for a while. */
    abstract void reconnected();

    final void ask(Claim asked, CompletableFuture<Attempt> answer) {
        CompletableFuture<Attempt> step = next(() -> {
            if (answer.isDone()) {
                return unheard();
            }
            claim = asked;
            return all.session().thenCompose(now -> {
                // The session may have ended since it was asked, and with it what stood.
                boolean stands = state == State.WAITING || state == State.READY || state == State.HELD;
                return stands || (!answer.isDone() && all.remember(this)) ? asked(now, answer) : unheard();
            });
        });
        var unused = step.whenComplete((attempt, failure) -> {
            if (failure != null && state == State.NEW) {
                all.forget(this);
            }
            all.watch(this);
            Answers.pass(attempt, failure, answer);
        });
    }

    private static CompletableFuture<Attempt> unheard() {
        return CompletableFuture.failedFuture(new InterruptedException("nobody waits for the answer"));
    }

    final CompletableFuture<Renewal> renew(Claim renewed) {
        return next(() -> {
            Session now = session;
            if (state == State.LOST
                    || now == null
                    || now.isOver()
                    || (state == State.HELD && tether.leftNanos() <= 0)) {
                return CompletableFuture.completedFuture(Renewal.SESSION_LOST);
            }
            if (state != State.HELD) {
                return all.whyAbsent(renewed);
            }
            return stands(now).thenCompose(there -> {
                if (!there) {
                    state = State.GONE;
                    all.forget(this);
                    return all.whyAbsent(renewed);
                }
                claim = claim.withLease(renewed.lease());
                untilNanos = System.nanoTime() + renewed.lease().toNanos();
                all.watch(this);
                return noted(now).thenApply(done -> Renewal.HELD);
            });
        });
    }

    /** A lease of quite another length is said in the node, for people who look. */
    private CompletableFuture<Boolean> noted(Session now) {
        long lease = claim.lease().toNanos();
        if (Math.abs(lease - saidNanos) <= saidNanos / 8) {
            return CompletableFuture.completedFuture(true);
        }
        saidNanos = lease;
        return note(now).exceptionally(failure -> false);
    }

    /** Ends it; whether it was held. What cannot be deleted now is deleted later. */
    final CompletableFuture<Boolean> release() {
        all.forget(this);
        return next(() -> {
            CompletableFuture<Boolean> removed = removed();
            leaving.complete(true);
            return removed;
        });
    }

    /** Whether its time is over. A new one has no end yet, and is looked after from when it has. */
    final boolean isOver() {
        return state != State.NEW && System.nanoTime() - untilNanos >= 0;
    }

    /** Ends it if its time is over still when its turn comes: the step that is under way may just be granting it. */
    final void endIfOver() {
        var unused = next(() -> {
            if (isOver()) {
                return removed();
            }
            all.watch(this);
            return CompletableFuture.completedFuture(false);
        });
    }

    private CompletableFuture<Boolean> removed() {
        Session now = session;
        boolean held = state == State.HELD;
        boolean nothing = state == State.NEW || state == State.GONE || state == State.LOST;
        state = State.GONE;
        // A step before this one may have come anew.
        all.forget(this);
        if (nothing || now == null || now.isOver()) {
            return CompletableFuture.completedFuture(false);
        }
        return Answers.either(remove(now), (there, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(there && held);
            }
            all.leavings().add(claim);
            return Failures.is(failure, Code.SESSIONEXPIRED)
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure);
        });
    }

    /**
     * Ends it, as another takes its place; done when that is on its way, which may be after a step that is under way.
     */
    final CompletableFuture<Boolean> leave() {
        var unused = release();
        return leaving;
    }

    final void sessionEnded() {
        // It may be over for us alone, who cannot wait any longer to know: then the nodes still stand.
        all.leavings().add(claim);
        if (state == State.HELD) {
            state = State.LOST;
            untilNanos = System.nanoTime() + MEMORY.toNanos();
            // Its holder is to be told now, and not when the session would have ended.
            all.wake(this);
        } else if (state != State.LOST) {
            boolean waited = state == State.WAITING || state == State.READY;
            state = State.GONE;
            all.forget(this);
            if (waited) {
                // It has to line up again.
                all.wake(this);
            }
        }
    }

    // ---- states

    /** Granted from now on, for its lease. */
    final Attempt hold(Session now, long fence) {
        state = State.HELD;
        unwatch();
        tether = now.tether();
        return keep(fence);
    }

    /** Granted as before, with the lease anew. */
    final Attempt keep(long fence) {
        untilNanos = System.nanoTime() + claim.lease().toNanos();
        return Attempt.granted(fence, tether);
    }

    final void ready() {
        if (state == State.WAITING) {
            state = State.READY;
            all.wake(this);
        }
    }

    /** The watcher to read this node with, of which it wants to hear as long as it waits. */
    final Watcher watching(String nodePath) {
        watched.add(nodePath);
        return all.watches().add(nodePath, this);
    }

    final void unwatch() {
        watched.forEach(nodePath -> all.watches().remove(nodePath, this));
        watched.clear();
    }

    /** Stands in line, or goes on to do so. */
    final Attempt wait(State as) {
        state = as;
        untilNanos = System.nanoTime() + PLACE.toNanos();
        return Attempt.busy(ASK);
    }

    /** When its lease, its place or its memory is over. */
    final long untilNanos() {
        return untilNanos;
    }

    /** What is left of its lease. */
    final Duration left() {
        return Duration.ofNanos(Math.max(0, untilNanos - System.nanoTime()));
    }

    final boolean isHeld() {
        return state == State.HELD;
    }

    /** Runs it when all steps before are over. */
    final <T> CompletableFuture<T> next(Supplier<CompletableFuture<T>> step) {
        CompletableFuture<T> result = last.handle((value, failure) -> 0).thenCompose(before -> step.get());
        last = result;
        return result;
    }
}
