package dev.interlock.zookeeper;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;

/**
 * All claims that this client has in ZooKeeper, and what watches over them: leases and places that end, the proof that
 * the session lives, what is left to be removed. Used on the loop only.
 */
final class Standings {

    private static final Duration LEAST_PAUSE = Duration.ofMillis(5);

    private final Loop loop;
    private final Paths paths;
    private final Connection connection;
    private final Leavings leavings;
    private final Watches watches;
    private final Listing listing;
    private final Catalog catalog;
    private final Map<OwnerId, Standing> byOwner = new HashMap<>();
    private volatile @Nullable Consumer<Wake> listener;
    private long sweepAtNanos;
    private boolean sweeping;
    private boolean proving;

    Standings(Loop loop, Clients clients) {
        Settings settings = clients.settings();
        this.loop = loop;
        this.paths = new Paths(settings.base());
        this.leavings = new Leavings(this, loop);
        this.watches = new Watches(loop);
        this.listing = new Listing(clients, loop);
        this.catalog = new Catalog(this, listing);
        this.connection = new Connection(
                clients::first,
                clients.isOwn(),
                Connection.PATIENCE,
                settings,
                loop,
                this::sessionEnded,
                this::connected);
    }

    Paths paths() {
        return paths;
    }

    Catalog catalog() {
        return catalog;
    }

    Watches watches() {
        return watches;
    }

    Leavings leavings() {
        return leavings;
    }

    /** Ends what waits; hands over the clients that are ours, to be closed. */
    List<CuratorFramework> close() {
        List<CuratorFramework> closing = new ArrayList<>(listing.close());
        CuratorFramework first = connection.close();
        if (first != null) {
            closing.add(0, first);
        }
        return closing;
    }

    void run(Runnable task) {
        var unused = loop.run(task);
    }

    void later(Duration delay, Runnable task) {
        loop.later(delay, task);
    }

    void listener(Consumer<Wake> newListener) {
        listener = newListener;
    }

    CompletableFuture<Session> session() {
        return connection.session();
    }

    @Nullable
    Session present() {
        return connection.present();
    }

    @Nullable
    Standing get(OwnerId owner) {
        return byOwner.get(owner);
    }

    // ---- verbs

    void acquire(Claim claim, CompletableFuture<Attempt> answer) {
        if (!claim.mode().holds() && !(claim.mode() instanceof Mode.AwaitZero)) {
            var unused = session()
                    .thenCompose(now -> new Act(now, paths.of(claim.id()), claim).run())
                    .whenComplete((attempt, failure) -> Answers.pass(attempt, failure, answer));
            return;
        }
        Standing known = byOwner.get(claim.owner());
        if (known == null || known.state == Standing.State.LOST) {
            known = fresh(claim);
            byOwner.put(claim.owner(), known);
        }
        known.ask(claim, answer);
    }

    private Standing fresh(Claim claim) {
        return switch (claim.id().kind()) {
            case LOCK, READ_WRITE -> new LineStanding(this, claim);
            case SEMAPHORE -> new PermitStanding(this, claim);
            case LATCH -> new LatchStanding(this, claim);
        };
    }

    /**
     * Ends the claim of this owner, as another takes its place; false if it is not known here. What is sent when this
     * is done is done afterwards.
     */
    CompletableFuture<Boolean> replaced(OwnerId owner) {
        Standing known = byOwner.get(owner);
        return known == null ? CompletableFuture.completedFuture(false) : known.leave();
    }

    CompletableFuture<Boolean> release(Claim claim) {
        Standing known = byOwner.get(claim.owner());
        if (known != null && !claim.forced()) {
            return known.release();
        }
        return session().thenCompose(now -> new Removal(this, now, claim).run());
    }

    CompletableFuture<Renewal> renew(Claim claim) {
        Standing known = byOwner.get(claim.owner());
        return known == null ? whyAbsent(claim) : known.renew(claim);
    }

    /** Whether the claim of this owner stands on this node now. */
    boolean isStoodOn(OwnerId owner, String nodePath) {
        Standing known = byOwner.get(owner);
        return known != null && known.standsOn(nodePath);
    }

    /** Removes every node of this owner that it does not stand on; whether there was one. */
    CompletableFuture<Boolean> removeAll(Session now, Claim claim) {
        return new Removal(this, now, claim).quietly();
    }

    /** What became of a claim that does not stand. */
    CompletableFuture<Renewal> whyAbsent(Claim claim) {
        return session().thenCompose(now -> {
            CompletableFuture<Boolean> forced = now.exists(paths.forced(claim.owner()));
            CompletableFuture<Boolean> taken = isTaken(now, claim);
            return forced.thenCombine(
                    taken, (mark, other) -> mark ? Renewal.FORCED : other ? Renewal.TAKEN : Renewal.DELETED);
        });
    }

    private CompletableFuture<Boolean> isTaken(Session now, Claim claim) {
        LockId id = claim.id();
        String path = paths.of(id);
        if (claim.mode() instanceof Mode.Permits permits) {
            return Semaphore.look(now, path, claim, null)
                    .thenApply(seen -> permits.count() > seen.capacity() - seen.held());
        }
        return now.childrenOrNone(path).thenApply(children -> {
            List<NodeName> holders = Line.ordered(children);
            boolean shares = id.kind() == LockKind.READ_WRITE && claim.mode() instanceof Mode.Shared;
            return !holders.isEmpty() && (!shares || holders.get(0).role() != NodeName.Role.READ);
        });
    }

    // ---- what happens

    void wake(Standing waiting) {
        Consumer<Wake> current = listener;
        if (current != null) {
            current.accept(new Wake(waiting.id, waiting.owner));
        }
    }

    /** Somebody asks it to let go. */
    void asked(Standing holding) {
        Consumer<Wake> current = listener;
        if (current != null) {
            current.accept(Wake.asked(holding.id, holding.owner));
        }
    }

    private void sessionEnded(Session ended) {
        for (Standing standing : List.copyOf(byOwner.values())) {
            if (standing.session == ended) {
                standing.sessionEnded();
            }
        }
    }

    private void connected() {
        Session now = present();
        if (now != null && byOwner.values().stream().anyMatch(Standing::isHeld)) {
            // The next time it is due may be after the end of the tether.
            var unused = now.prove("/");
        }
        List.copyOf(byOwner.values()).forEach(Standing::reconnected);
        leavings.remove();
    }

    /**
     * It comes (again): its session may have ended, and it been forgotten, since it was asked. False if another has
     * taken its place.
     */
    boolean remember(Standing coming) {
        return byOwner.putIfAbsent(coming.owner, coming) == null || byOwner.get(coming.owner) == coming;
    }

    void forget(Standing gone) {
        gone.unwatch();
        byOwner.remove(gone.owner, gone);
    }

    // ---- time

    /** Looks after it from now on, if there is anything to look after. */
    void watch(Standing standing) {
        if (standing.state == Standing.State.NEW || standing.state == Standing.State.GONE) {
            forget(standing);
            return;
        }
        plan(standing.untilNanos());
        Session now = standing.session;
        if (!proving && now != null) {
            proving = true;
            proveLater(now);
        }
    }

    private void plan(long atNanos) {
        if (!sweeping || atNanos - sweepAtNanos < 0) {
            sweeping = true;
            sweepAtNanos = atNanos;
            long pause = Math.max(LEAST_PAUSE.toNanos(), atNanos - System.nanoTime());
            loop.later(Duration.ofNanos(pause), () -> sweep(atNanos));
        }
    }

    private void sweep(long plannedNanos) {
        if (!sweeping || plannedNanos != sweepAtNanos) {
            // Another one was planned for earlier.
            return;
        }
        sweeping = false;
        List<Standing> over = new ArrayList<>();
        for (Standing standing : byOwner.values()) {
            if (standing.isOver()) {
                over.add(standing);
            } else if (standing.state != Standing.State.NEW) {
                plan(standing.untilNanos());
            }
        }
        // What fails is repeated by the leavings.
        over.forEach(Standing::endIfOver);
    }

    /** The session is proved as long as anything stands. */
    private void proveLater(Session now) {
        loop.later(now.timeout().dividedBy(6), () -> {
            Session present = present();
            if (byOwner.isEmpty()) {
                proving = false;
                return;
            }
            if (present != null) {
                // Without an answer the tether ends.
                var unused = present.prove("/");
            }
            proveLater(present == null ? now : present);
        });
    }
}
