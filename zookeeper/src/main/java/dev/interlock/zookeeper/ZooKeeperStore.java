package dev.interlock.zookeeper;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;

/**
 * Claims as nodes of ZooKeeper, 3.6 or later, in the layout of Curator's recipes: clients of both exclude each other.
 *
 * <p><b>What it promises, and what not.</b> A claim is a node that lives with the session of this client. It ends with
 * its lease, which this client watches over, or with the session, whichever comes first: leases on it end here before
 * the servers can give it away, and say {@code SESSION_LOST}. The process that dies without a word is in the way for
 * the length of a session, not of a lease. All claims are served in the order of arrival, also those of locks that are
 * not fair.
 *
 * <p>Closing the store ends its session, and so every claim of it, unless the client is the application's own: then the
 * claims that were not released end with that one's session.
 */
public final class ZooKeeperStore implements LockStore, LockCatalog {

    /** How long closing waits for the servers: one that does not answer ends the session by itself. */
    private static final long CLOSE_MILLIS = 200;

    private final Loop loop = new Loop();
    private final Standings standings;
    private final String where;
    private boolean closed;

    ZooKeeperStore(Clients clients) {
        this.where = clients.settings().where();
        this.standings = new Standings(loop, clients);
    }

    /**
     * A store with a connection of its own.
     *
     * @param uri {@code zk://h1:2181,h2:2181/path}; the locks are the nodes below the path. Options follow as
     *     {@code ?session=PT15S}. Without a path they are nodes of the root: then every server keeps a little memory
     *     for each name that was ever used, until it is started again
     * @throws IllegalArgumentException if the URI breaks a rule; the message says which, and has no password
     */
    public static ZooKeeperStore at(String uri) {
        return builder(uri).build();
    }

    /**
     * A store on the application's own client, which must be started, in its namespace. Closing the store does not
     * close the client. Only to list very many names it opens another connection for a moment, with the servers and the
     * options of that client.
     *
     * <p>Curator does not tell which access list the client gives to its nodes: say it once more to
     * {@link ZooKeeperStoreBuilder#acl}, if it is not open to all.
     */
    public static ZooKeeperStore over(CuratorFramework client) {
        return builder(client).build();
    }

    /** A store to be configured, as {@link #at(String)}. */
    public static ZooKeeperStoreBuilder builder(String uri) {
        return new ZooKeeperStoreBuilder(StoreUri.parse(uri), null);
    }

    /** A store to be configured, as {@link #over(CuratorFramework)}. */
    public static ZooKeeperStoreBuilder builder(CuratorFramework client) {
        return new ZooKeeperStoreBuilder(Settings.over(client.getNamespace()), client);
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        CompletableFuture<Attempt> answer = new CompletableFuture<>();
        start(answer, () -> standings.acquire(claim, answer));
        return answer;
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return run(() -> standings.release(claim));
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        List<Claim> batch = List.copyOf(claims);
        return batch.isEmpty() ? CompletableFuture.completedFuture(Map.of()) : run(() -> renewed(batch));
    }

    /** All in one go; those without an answer are left out. */
    private CompletableFuture<Map<Claim, Renewal>> renewed(List<Claim> batch) {
        Map<Claim, CompletableFuture<Renewal>> asked = new HashMap<>();
        batch.forEach(claim -> asked.put(claim, standings.renew(claim)));
        CompletableFuture<Map<Claim, Renewal>> answer = new CompletableFuture<>();
        var unused = Answers.all(asked.values()).whenComplete((done, failure) -> {
            Map<Claim, Renewal> known = new HashMap<>();
            asked.forEach((claim, renewal) -> {
                if (!renewal.isCompletedExceptionally()) {
                    known.put(claim, renewal.join());
                }
            });
            Answers.pass(known, known.isEmpty() ? failure : null, answer);
        });
        return answer;
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return run(() -> standings.catalog().inspect(id));
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
        return run(() -> standings.catalog().list(prefix, limit));
    }

    @Override
    public void onWake(Consumer<Wake> listener) {
        standings.listener(listener);
    }

    private <T> CompletableFuture<T> run(Supplier<CompletableFuture<T>> verb) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        start(answer, () -> {
            var unused = verb.get().whenComplete((value, failure) -> Answers.pass(value, failure, answer));
        });
        return answer;
    }

    private void start(CompletableFuture<?> answer, Runnable verb) {
        boolean open = loop.run(() -> {
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
            List<CuratorFramework> clients = standings.close();
            // Before the clients: what they still answer would be left lying.
            loop.close();
            var unused = Clients.close(clients).thenAccept(done::complete);
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
        } catch (java.util.concurrent.ExecutionException | TimeoutException e) {
            // It goes on by itself, and ends with the session.
        }
    }

    /** Where the store is; no password. */
    @Override
    public String toString() {
        return "ZooKeeperStore[" + where + "]";
    }
}
