package dev.interlock.zookeeper;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.zookeeper.NodeName.Role;
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
 * A claim of some permits of a semaphore: while it waits one node in the line under {@code locks}, then one node for
 * each permit under {@code leases}.
 *
 * <p>Only the first in the line may take permits. It takes all that it wants and leaves the line in one transaction,
 * and waits at the head of the line until there are enough: so no two requests keep from each other what both need. A
 * free semaphore costs two round trips: to line up and look, and to take.
 */
final class PermitStanding extends Standing {

    /** So often a node is made anew when its parent goes at the same moment. */
    private static final int TRIES = 5;

    /** How long one that only tries stays in the line for those before it that are about to take: a few round trips. */
    private static final Duration BRIEF = Duration.ofMillis(500);

    private final String locks;
    private final String leases;
    private @Nullable String place;

    /** The path of the place before its own, while it is watched. */
    private @Nullable String nearest;

    /** Whether it was seen at the head of the line: only then it wants to hear what becomes of the permits. */
    private boolean first;

    private long fence;

    /** Nodes of the permits that it has; of one that waits still, if their fence is not known yet. */
    private List<String> taken = List.of();

    PermitStanding(Standings all, Claim claim) {
        super(all, claim);
        this.locks = path + Paths.LOCKS;
        this.leases = path + Paths.LEASES;
    }

    private int wanted() {
        return claim.mode() instanceof Mode.Permits permits ? permits.count() : 1;
    }

    @Override
    CompletableFuture<Attempt> asked(Session now, CompletableFuture<Attempt> answer) {
        return switch (state) {
            case WAITING -> look(now).thenCompose(done -> told(now));
            case READY -> told(now);
            case HELD ->
                stands(now).thenCompose(there -> there ? CompletableFuture.completedFuture(keep(fence)) : come(now));
            case NEW, LOST, GONE -> come(now);
        };
    }

    private CompletableFuture<Attempt> told(Session now) {
        return switch (state) {
            case READY -> CompletableFuture.completedFuture(hold(now, fence));
            case WAITING -> CompletableFuture.completedFuture(wait(State.WAITING));
            default -> come(now);
        };
    }

    // ---- to come

    private CompletableFuture<Attempt> come(Session now) {
        session = now;
        state = State.NEW;
        place = null;
        nearest = null;
        first = false;
        taken = List.of();
        OwnerId earlier = claim.replaces();
        return earlier == null ? arrive(now) : all.replaced(earlier).thenCompose(done -> arrive(now));
    }

    private CompletableFuture<Attempt> arrive(Session now) {
        if (claim.waited() != null) {
            return enter(now, TRIES);
        }
        CompletableFuture<List<String>> others = now.childrenOrNone(leases);
        return Semaphore.capacity(now, path, claim)
                .thenCombine(others, (capacity, held) -> wanted() <= capacity - held.size())
                .thenCompose(fits -> fits ? enter(now, TRIES) : CompletableFuture.completedFuture(Attempt.busy(SOON)));
    }

    private CompletableFuture<Attempt> enter(Session now, int tries) {
        String prefix = locks + '/' + NodeName.prefix(owner) + Role.LOCK.text;
        CompletableFuture<Session.Created> made =
                now.create(prefix, Payload.of(claim, 0).encode(), CreateMode.EPHEMERAL_SEQUENTIAL);
        CompletableFuture<Semaphore> seen = Semaphore.look(now, path, claim, null);
        CompletableFuture<Attempt> entered = Answers.either(made, (created, failure) -> {
            if (failure == null) {
                place = Paths.name(created.path());
                return seen.thenCompose(semaphore -> placed(now, semaphore));
            }
            return Failures.is(failure, Code.NONODE) && tries > 0
                    ? now.containers(locks)
                            .thenCompose(done -> now.containers(leases))
                            .thenCompose(done -> enter(now, tries - 1))
                    : CompletableFuture.failedFuture(failure);
        });
        return entered.whenComplete((attempt, failure) -> {
            if (failure != null && state == State.NEW) {
                all.leavings().add(claim);
            }
        });
    }

    private CompletableFuture<Attempt> placed(Session now, Semaphore semaphore) {
        int waiting = semaphore.line().size();
        if (!now.hasRoomFor(waiting)) {
            return refused(now, Failures.full(locks, waiting, now.longestAnswer()));
        }
        var unused = wait(State.WAITING);
        return decide(now, semaphore).thenCompose(done -> {
            if (state == State.READY) {
                return CompletableFuture.completedFuture(hold(now, fence));
            }
            return claim.waited() != null ? told(now) : brief(now, semaphore);
        });
    }

    /** One that only tries waits for those before it only if it fits beside all of them. */
    private CompletableFuture<Attempt> brief(Session now, Semaphore semaphore) {
        List<NodeName> before = semaphore.before(place);
        CompletableFuture<Long> ahead = all.catalog()
                .seen(now, locks, before)
                .thenApply(seen -> seen.stream().mapToLong(Seen::permits).sum());
        return ahead.thenCompose(permits -> {
            boolean fits = !before.isEmpty() && permits + semaphore.held() + wanted() <= semaphore.capacity();
            return fits ? patience(now, System.nanoTime() + BRIEF.toNanos()) : giveUp(now);
        });
    }

    private CompletableFuture<Attempt> patience(Session now, long untilNanos) {
        if (state == State.READY) {
            return CompletableFuture.completedFuture(hold(now, fence));
        }
        if (state != State.WAITING || System.nanoTime() - untilNanos >= 0) {
            return giveUp(now);
        }
        CompletableFuture<Boolean> soon = new CompletableFuture<>();
        all.later(Duration.ofMillis(2), () -> soon.complete(true));
        return soon.thenCompose(done -> look(now)).thenCompose(done -> patience(now, untilNanos));
    }

    private CompletableFuture<Attempt> giveUp(Session now) {
        return remove(now).thenApply(gone -> {
            state = State.GONE;
            return Attempt.busy(SOON);
        });
    }

    // ---- to wait

    private CompletableFuture<Boolean> look(Session now) {
        if (!taken.isEmpty()) {
            return now.stat(taken.get(0)).thenCompose(this::has);
        }
        return Semaphore.look(now, path, claim, first ? watching(leases) : null)
                .thenCompose(semaphore -> decide(now, semaphore));
    }

    /** Takes what it wants if it is its turn and there is enough; watches what is in the way if not. */
    private CompletableFuture<Boolean> decide(Session now, Semaphore semaphore) {
        if (state != State.WAITING) {
            return CompletableFuture.completedFuture(false);
        }
        if (!semaphore.hasPlace(place)) {
            // Somebody has deleted it: it lines up again.
            state = State.GONE;
            return CompletableFuture.completedFuture(false);
        }
        List<NodeName> before = semaphore.before(place);
        if (!before.isEmpty()) {
            first = false;
            return watchNearest(now, locks + '/' + before.get(before.size() - 1).text());
        }
        if (wanted() <= semaphore.capacity() - semaphore.held()) {
            int together = semaphore.held() + wanted();
            return now.hasRoomFor(together)
                    ? take(now, TRIES)
                    : refused(now, Failures.full(leases, together, now.longestAnswer()));
        }
        first = true;
        nearest = null;
        return semaphore.isWatched() ? CompletableFuture.completedFuture(true) : look(now);
    }

    private CompletableFuture<Boolean> watchNearest(Session now, String nodePath) {
        nearest = nodePath;
        return Answers.either(now.read(nodePath, watching(nodePath)), (read, failure) -> {
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
    void happened(EventType type, String nodePath) {
        Session now = session;
        boolean concerns = nodePath.equals(leases) ? first : type == EventType.NodeDeleted && nodePath.equals(nearest);
        if (concerns && state == State.WAITING && now != null) {
            nearest = null;
            var unused = next(() -> state == State.WAITING ? look(now) : CompletableFuture.completedFuture(true))
                    .whenComplete((done, failure) -> movedOn());
        }
    }

    private void movedOn() {
        if (state == State.READY || state == State.GONE) {
            all.wake(this);
        }
    }

    // ---- to take

    /** The first in the line makes all nodes of its permits and leaves the line at once. */
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
        ops.add(Op.delete(locks + '/' + place, -1));
        if (!now.hasRoomFor(ops)) {
            return refused(now, Failures.tooManyAtOnce(leases, wanted(), now.longestAnswer()));
        }
        CompletableFuture<?> done = now.multi(ops);
        CompletableFuture<Optional<Stat>> first = now.stat(nodes.get(0));
        return Answers.either(done, (results, failure) -> {
            if (Failures.is(failure, Code.NONODE) && tries > 0) {
                // The servers remove the parent when nobody has a permit, also while others stand in the line.
                return now.containers(leases).thenCompose(made -> take(now, tries - 1));
            }
            if (failure != null) {
                // Whether it has them is not known.
                return over(failure);
            }
            // Before the fence is known: if that is not told, it has them all the same, and must not look for its place
            // again.
            taken = nodes;
            place = null;
            return first.thenCompose(this::has);
        });
    }

    private CompletableFuture<Boolean> has(Optional<Stat> first) {
        if (first.isEmpty()) {
            return over(Failures.vanished(taken.get(0)));
        }
        if (state == State.WAITING) {
            fence = first.get().getCzxid();
            wait(State.READY);
        }
        return CompletableFuture.completedFuture(true);
    }

    /** It leaves the line at once: others stand behind. */
    private <T> CompletableFuture<T> refused(Session now, Throwable refusal) {
        return Answers.either(remove(now), (gone, failure) -> over(refusal));
    }

    /** Whatever there is of it goes, and nobody asks for this claim again. */
    private <T> CompletableFuture<T> over(Throwable failure) {
        state = State.GONE;
        all.leavings().add(claim);
        return CompletableFuture.failedFuture(failure);
    }

    // ---- to stay and to go

    @Override
    CompletableFuture<Boolean> stands(Session now) {
        List<CompletableFuture<Boolean>> there = taken.stream()
                .map(node ->
                        now.stat(node).thenApply(stat -> stat.filter(now::owns).isPresent()))
                .toList();
        // Who holds uses the capacity; an answer that fails decides nothing.
        var unused = Semaphore.capacity(now, path, claim);
        return Answers.all(there).thenApply(done -> there.stream().allMatch(CompletableFuture::join));
    }

    @Override
    CompletableFuture<Boolean> note(Session now) {
        return now.write(taken.get(0), Payload.of(claim, 0).encode(), -1).thenApply(stat -> true);
    }

    @Override
    CompletableFuture<Boolean> remove(Session now) {
        if (taken.size() == 1) {
            return now.delete(taken.get(0));
        }
        if (taken.isEmpty()) {
            return place == null ? all.removeAll(now, claim) : now.delete(locks + '/' + place);
        }
        List<Op> ops = taken.stream().map(node -> Op.delete(node, -1)).toList();
        return Answers.either(
                now.multi(ops),
                (done, failure) -> Failures.is(failure, Code.NONODE)
                        ? all.removeAll(now, claim)
                        : failure == null
                                ? CompletableFuture.completedFuture(true)
                                : CompletableFuture.failedFuture(failure));
    }

    @Override
    boolean standsOn(String nodePath) {
        return taken.contains(nodePath) || nodePath.equals(locks + '/' + place);
    }

    @Override
    void reconnected() {
        Session now = session;
        if (state == State.WAITING && now != null) {
            var unused = next(() -> state == State.WAITING ? look(now) : CompletableFuture.completedFuture(true))
                    .whenComplete((done, failure) -> movedOn());
        }
    }
}
