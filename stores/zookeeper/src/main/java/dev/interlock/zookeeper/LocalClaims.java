package dev.interlock.zookeeper;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import dev.interlock.support.EventLoop;
import dev.interlock.support.Finding;
import dev.interlock.support.Futures;
import dev.interlock.support.SessionClaims;
import dev.interlock.zookeeper.node.NodeName;
import dev.interlock.zookeeper.node.NodeQueue;
import dev.interlock.zookeeper.node.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException.Code;

/**
 * All claims that this client has in ZooKeeper, and the verbs of the store on them. It keeps the proof of the session
 * fresh as long as there are claims.
 *
 * <p>Every method is called on the event loop, which guards every field, except for {@link #listener}.
 */
final class LocalClaims {

    private final Host host = new Host();
    private final EventLoop loop;
    private final Paths paths;
    private final NodeName.Role lockRole;
    private final Connection connection;
    private final NodeRemoval removal;
    private final Watches watches;
    private final Listing listing;
    private final Catalog catalog;
    private final Diagnosis diagnosis;
    private final Barriers barriers;
    private final SessionClaims<LocalClaim> books;
    private boolean proving;

    /** Nothing is connected before the first verb. */
    LocalClaims(EventLoop loop, ClientFactory clients) {
        Settings settings = clients.settings();
        this.loop = loop;
        // A deletion that fails becomes pending, and is repeated.
        this.books = new SessionClaims<>(loop, LocalClaim::endIfOver);
        this.paths = new Paths(settings.base());
        this.lockRole = settings.leaderLatch() ? NodeName.Role.LEADER : NodeName.Role.LOCK;
        this.connection = new Connection(
                clients::first,
                clients.isOwn(),
                Connection.PATIENCE,
                settings,
                loop,
                this::sessionEnded,
                this::suspended,
                this::connected);
        this.removal = new NodeRemoval(loop, paths, connection::present, new NodeRemoval.InUse() {
            @Override
            public boolean isEntering(OwnerId owner) {
                LocalClaim known = books.of(owner);
                return known != null && known.state() == LocalClaim.State.ENTERING;
            }

            @Override
            public boolean uses(OwnerId owner, String nodePath) {
                LocalClaim known = books.of(owner);
                return known != null && known.uses(nodePath);
            }
        });
        this.watches = new Watches(loop);
        this.listing = new Listing(clients, loop);
        this.diagnosis = new Diagnosis(settings, paths);
        this.barriers = new Barriers(loop, paths, watches, connection::session, this::keepProving);
        this.catalog = new Catalog(paths, listing, owner -> {
            LocalClaim own = books.of(owner);
            return own != null && own.isHeld() ? own.left() : null;
        });
    }

    /** Whether there has been a session. Any thread may ask. */
    boolean isConnected() {
        return connection.hasBegun();
    }

    /** Fails the verbs that wait for a connection. Returns the clients that are the store's own, to be closed. */
    List<CuratorFramework> close() {
        List<CuratorFramework> closing = new ArrayList<>(listing.close());
        CuratorFramework first = connection.close();
        if (first != null) {
            closing.add(0, first);
        }
        return closing;
    }

    /** Sets the receiver of wakes. Any thread may call it. */
    void listener(Consumer<Wake> newListener) {
        books.listener(newListener);
    }

    /** What barriers use of the store. Any thread may call it. */
    Barriers barriers() {
        return barriers;
    }

    // ---- verbs

    /**
     * Acquires a claim.
     *
     * @param answer begins when there is a session, so that the servers can receive the request
     */
    void acquire(Claim claim, QueuedAnswer<Attempt> answer) {
        LocalClaim known = books.of(claim.owner());
        if (known == null || known.state() == LocalClaim.State.LOST) {
            known = create(claim);
            books.put(known);
        }
        known.acquire(claim, answer);
    }

    private LocalClaim create(Claim claim) {
        return switch (claim.id().kind()) {
            case LOCK, READ_WRITE -> new LockClaim(host, claim);
            case SEMAPHORE -> new SemaphoreClaim(host, claim);
            case LATCH -> new LatchClaim(host, claim);
        };
    }

    CompletableFuture<Boolean> execute(Command command) {
        if (command.action() instanceof Command.KeepPermits keep) {
            return books.of(command.owner()) instanceof SemaphoreClaim known
                    ? known.keep(keep.count())
                    : CompletableFuture.completedFuture(false);
        }
        return connection.session().thenCompose(now -> new OneShotRequest(now, paths.of(command.id()), command).run());
    }

    CompletableFuture<Boolean> release(Claim claim) {
        LocalClaim known = books.of(claim.owner());
        if (known != null && !claim.forced()) {
            return known.release();
        }
        return connection.session().thenCompose(now -> removal.release(now, claim));
    }

    CompletableFuture<Renewal> renew(Claim claim) {
        LocalClaim known = books.of(claim.owner());
        return known == null ? host.whyAbsent(claim) : known.renew(claim);
    }

    CompletableFuture<LockStatus> inspect(LockId id) {
        return connection.session().thenCompose(now -> catalog.inspect(now, id));
    }

    CompletableFuture<List<LockStatus>> list(String prefix, int limit) {
        return connection.session().thenCompose(now -> catalog.list(now, prefix, limit));
    }

    CompletableFuture<Long> clock() {
        return connection.session().thenCompose(diagnosis::clock);
    }

    CompletableFuture<List<Finding>> diagnose() {
        return connection.session().thenCompose(diagnosis::findings);
    }

    /** The data of the nodes of the held claim of this owner, by their paths. */
    CompletableFuture<Map<String, byte[]>> nodes(OwnerId owner) {
        LocalClaim known = books.of(owner);
        Session now = known == null ? null : known.session;
        if (known == null || now == null || !known.isHeld()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        Map<String, byte[]> nodes = new TreeMap<>();
        List<CompletableFuture<Void>> reads = known.nodes().stream()
                .map(path -> now.readIfThere(path).thenAccept(read -> read.filter(there -> now.owns(there.stat()))
                        .ifPresent(there -> nodes.put(path, there.data()))))
                .toList();
        CompletableFuture<Map<String, byte[]>> all = Futures.all(reads).thenApply(done -> nodes);
        // The server has ended the session, and with it the claim, before this client hears of it.
        return all.exceptionallyCompose(failure -> Failures.is(failure, Code.SESSIONEXPIRED)
                ? CompletableFuture.completedFuture(Map.of())
                : CompletableFuture.failedFuture(failure));
    }

    // ---- events of the connection

    private void sessionEnded(Session ended) {
        books.sessionEnded(claim -> claim.session == ended);
        barriers.signal();
    }

    private void suspended(Session now) {
        for (LocalClaim claim : books.all()) {
            if (claim.session == now && claim.isHeld()) {
                claim.lose("its connection is interrupted");
            }
        }
    }

    private void connected() {
        Session now = connection.present();
        if (now != null && (barriers.areInUse() || books.all().stream().anyMatch(LocalClaim::isHeld))) {
            // The next proof may be due after the end of the tether.
            var unused = now.prove("/");
        }
        books.all().forEach(LocalClaim::reconnected);
        removal.removePending();
        barriers.signal();
    }

    // ---- the proof of the session

    private void keepProving(Session now) {
        if (!proving) {
            proving = true;
            proveLater(now);
        }
    }

    /** Proves the session again and again, as long as there are claims, or barriers in use. */
    private void proveLater(Session last) {
        var unused = loop.later(last.timeout().dividedBy(6), () -> {
            if (books.isEmpty() && !barriers.areInUse()) {
                proving = false;
                return;
            }
            Session now = connection.present();
            if (now != null) {
                // If there is no answer, the tether ends.
                var unusedToo = now.prove("/");
            }
            proveLater(now == null ? last : now);
        });
    }

    /** The part of the store that its claims use. */
    private final class Host implements LocalClaim.Host {

        @Override
        public SessionClaims<LocalClaim> books() {
            return books;
        }

        @Override
        public EventLoop loop() {
            return loop;
        }

        @Override
        public Paths paths() {
            return paths;
        }

        @Override
        public NodeName.Role lockRole() {
            return lockRole;
        }

        @Override
        public Watches watches() {
            return watches;
        }

        @Override
        public NodeRemoval removal() {
            return removal;
        }

        @Override
        public CompletableFuture<Session> session() {
            return connection.session();
        }

        @Override
        public void watch(LocalClaim claim) {
            Session now = claim.session;
            if (claim.state() == LocalClaim.State.ENTERING || claim.state() == LocalClaim.State.ENDED) {
                claim.leaveBooks();
            } else if (now != null) {
                keepProving(now);
            }
        }

        @Override
        public CompletableFuture<Boolean> replace(OwnerId owner) {
            LocalClaim known = books.of(owner);
            return known == null ? CompletableFuture.completedFuture(false) : known.replaced();
        }

        @Override
        public CompletableFuture<Renewal> whyAbsent(Claim claim) {
            return connection.session().thenCompose(now -> {
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
                return SemaphoreState.read(now, path, claim, null)
                        .thenApply(semaphore -> permits.count() > semaphore.capacity() - semaphore.held());
            }
            return now.childrenOrNone(path).thenApply(children -> {
                List<NodeName> holders = NodeQueue.ordered(children);
                boolean shares = id.kind() == LockKind.READ_WRITE && claim.mode() instanceof Mode.Shared;
                return !holders.isEmpty() && (!shares || holders.get(0).role() != NodeName.Role.READ);
            });
        }
    }
}
