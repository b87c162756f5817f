package dev.interlock.zookeeper;

import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import dev.interlock.support.Diagnosable;
import dev.interlock.support.EventLoop;
import dev.interlock.support.Examination;
import dev.interlock.support.Finding;
import dev.interlock.support.Futures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.server.ZooKeeperThread;

/**
 * A store on ZooKeeper 3.6 or later. Claims are nodes in the layout of Curator's recipes, so clients of both exclude
 * each other.
 *
 * <p><b>Guarantees.</b> A claim is a node that belongs to the session of this client. It ends with its lease, which
 * this client watches over, or with the session, whichever comes first: a lease ends here with {@code SESSION_LOST}
 * before the servers can grant its lock to another client. A process that dies keeps its locks for the length of a
 * session, whatever the lease. All claims are served in the order of arrival, also those of locks that are not fair.
 *
 * <p>Closing the store ends its session, and so every claim. If the client is the application's own, claims that were
 * not released end with the session of that client.
 *
 * <p>Thread-safe. No method blocks, except {@link #close()}, which waits for the servers for a moment.
 */
public final class ZooKeeperStore implements LockStore, LockCatalog, Diagnosable {

    /** How long closing waits for the servers: if they do not answer, the session ends by itself. */
    private static final long CLOSE_MILLIS = 200;

    private final EventLoop loop = new EventLoop("interlock-zookeeper", ZooKeeperThread.class::isInstance);
    private final LocalClaims claims;
    private final ServerStatus servers;
    private final String where;
    private final boolean owned;
    private boolean closed;

    ZooKeeperStore(ClientFactory clients) {
        this.where = clients.settings().where();
        this.owned = clients.isOwn();
        this.servers = new ServerStatus(clients.settings().servers());
        this.claims = new LocalClaims(loop, clients);
    }

    /**
     * A store with a connection of its own. The first verb connects.
     *
     * @param uri {@code zk://h1:2181,h2:2181/path}: the locks are nodes below the path. The options are the session
     *     time-out, {@code ?session=15s}, and {@code ?recipe=LeaderLatch}: see {@link ZooKeeperStoreBuilder}. Give a
     *     path: below the root every server keeps a little memory for each name that was ever used, until it restarts
     * @throws IllegalArgumentException if the URI breaks a rule; the message names the rule, and contains no password
     */
    public static ZooKeeperStore at(String uri) {
        return builder(uri).build();
    }

    /**
     * A store on the application's own client, in its namespace. Start the client before you use the store. Closing the
     * store does not close the client. A listing of very many names opens another connection for a moment, with the
     * servers and the options of that client.
     *
     * <p>Nodes and their parents get the access lists of the client's {@code ACLProvider}, as the nodes that the client
     * creates itself, unless you set {@link ZooKeeperStoreBuilder#acl}.
     *
     * <p>If a right is missing, the client's {@code UnhandledErrorListener}s hear of each refused request, also of one
     * that no caller waits for.
     */
    public static ZooKeeperStore over(CuratorFramework client) {
        return builder(client).build();
    }

    /** A builder of a store as {@link #at(String)}. */
    public static ZooKeeperStoreBuilder builder(String uri) {
        return new ZooKeeperStoreBuilder(ZooKeeperUri.parse(uri), null);
    }

    /** A builder of a store as {@link #over(CuratorFramework)}. */
    public static ZooKeeperStoreBuilder builder(CuratorFramework client) {
        Settings settings = Settings.over(client.getNamespace()).withAcl(new ClientAcl(client));
        return new ZooKeeperStoreBuilder(settings, client);
    }

    /**
     * All but leaving a lock to lapse, since a claim ends with the session of its client, and retention: a client of
     * Curator that waits would not tell the holder.
     */
    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.LAPSE, Capability.RETENTION));
    }

    /** Refuses the event thread of the application's own client, on which Curator calls watchers and callbacks. */
    @Override
    public void ensureMayWait() {
        if (!owned && loop.isDelivering()) {
            throw Failures.onEventThread();
        }
    }

    @Override
    public boolean isConnected() {
        return claims.isConnected();
    }

    @Override
    public boolean isRefusal(Throwable failure) {
        return Failures.isRefusal(failure);
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        QueuedAnswer<Attempt> answer = new QueuedAnswer<>();
        start(answer, () -> claims.acquire(claim, answer));
        return answer;
    }

    @Override
    public CompletionStage<Boolean> execute(Command command) {
        return run(() -> claims.execute(command));
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return run(() -> claims.release(claim));
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        List<Claim> batch = List.copyOf(claims);
        return batch.isEmpty() ? CompletableFuture.completedFuture(Map.of()) : run(() -> renewed(batch));
    }

    /** Renews all claims at once. Claims without an answer are left out. */
    private CompletableFuture<Map<Claim, Renewal>> renewed(List<Claim> batch) {
        Map<Claim, CompletableFuture<Renewal>> asked = new HashMap<>();
        batch.forEach(claim -> asked.put(claim, claims.renew(claim)));
        CompletableFuture<Map<Claim, Renewal>> answer = new CompletableFuture<>();
        var unused = Futures.all(asked.values()).whenComplete((done, failure) -> {
            Map<Claim, Renewal> known = new HashMap<>();
            asked.forEach((claim, renewal) -> {
                if (!renewal.isCompletedExceptionally()) {
                    known.put(claim, renewal.join());
                }
            });
            Futures.pass(known, known.isEmpty() ? failure : null, answer);
        });
        return answer;
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return run(() -> claims.inspect(id));
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
        return run(() -> claims.list(prefix, limit));
    }

    /** From a node that it creates and deletes: ZooKeeper tells its time in no other way. */
    @Override
    public OptionalLong readClock() {
        return OptionalLong.of(Examination.await(run(claims::clock)));
    }

    @Override
    public List<Finding> diagnose() {
        List<Finding> findings = new ArrayList<>(servers.findings());
        findings.addAll(Examination.await(run(claims::diagnose)));
        return findings;
    }

    @Override
    public void onWake(Consumer<Wake> listener) {
        claims.listener(listener);
    }

    /**
     * Reads the nodes of a lease that a client of this store holds: one of a lock, and one for each permit of a
     * semaphore. Afterwards the lease is not handed over inside the process: see {@link Lease#id()}.
     *
     * @return a stage of the nodes; empty if the lease has ended in the store, or is not one of this store
     * @throws LockLostException if the lease was lost before its id was asked for
     * @throws IllegalStateException if the lease was released before its id was asked for
     * @throws UnsupportedOperationException if this is a lease of several locks
     */
    public CompletionStage<List<LockNode>> nodes(Lease lease) {
        OwnerId owner = new OwnerId(lease.id());
        return run(() -> claims.nodes(owner)).thenApply(nodes -> nodes.entrySet().stream()
                .map(node -> new LockNode(node.getKey(), node.getValue()))
                .toList());
    }

    /**
     * The barrier of this name: Curator's {@code DistributedBarrier} on the path of the lock of this name. Use the name
     * for nothing else. Does no I/O.
     *
     * @throws IllegalArgumentException if the name is not one that a lock may have
     */
    public CuratorBarrier curatorBarrier(String name) {
        LockId id = LockId.lock(name);
        return new CuratorBarrier(barrierCalls(), claims.barriers(), id.name());
    }

    /**
     * The double barrier of this name: Curator's {@code DistributedDoubleBarrier} on the path of the lock of this name.
     * Use the name for nothing else. Does no I/O.
     *
     * @param parties how many parties must be there for the barrier to open, 1 or more
     * @throws IllegalArgumentException if the name is not one that a lock may have, or there is no party
     */
    public CuratorDoubleBarrier curatorDoubleBarrier(String name, int parties) {
        LockId id = LockId.lock(name);
        return new CuratorDoubleBarrier(barrierCalls(), claims.barriers(), id.name(), parties);
    }

    private BarrierCalls barrierCalls() {
        return new BarrierCalls(this::run, this::ensureMayWait);
    }

    private <T> CompletableFuture<T> run(Supplier<CompletableFuture<T>> verb) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        start(answer, () -> {
            var unused = verb.get().whenComplete((value, failure) -> Futures.pass(value, failure, answer));
        });
        return answer;
    }

    private void start(CompletableFuture<?> answer, Runnable verb) {
        boolean open = loop.run(() -> {
            if (loop.isClosed()) {
                answer.completeExceptionally(Failures.closed());
                return;
            }
            try {
                verb.run();
            } catch (RuntimeException | LinkageError e) {
                answer.completeExceptionally(e);
            }
        });
        if (!open) {
            answer.completeExceptionally(Failures.closed());
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        boolean open = loop.run(() -> {
            List<CuratorFramework> clients = claims.close();
            // Before the clients are closed: later answers would never be run.
            loop.close();
            var unused = ClientFactory.close(clients).thenAccept(done::complete);
        });
        if (open) {
            await(done);
        }
    }

    private static void await(CompletableFuture<Boolean> done) {
        try {
            done.get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The clients go on closing, and the session ends by itself.
        }
    }

    /** The servers and the path; no password. */
    @Override
    public String toString() {
        return "ZooKeeperStore[" + where + "]";
    }
}
