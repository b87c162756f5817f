package dev.interlock.zookeeper;

import dev.interlock.support.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.jspecify.annotations.Nullable;

/**
 * A client and its present session. The first verb creates and starts the client. Curator keeps the connection, and
 * opens a new session when one has ended. Requests go to ZooKeeper's own handle, because Curator would send some of
 * them twice.
 *
 * <p>Guarded by the event loop.
 */
final class Connection {

    /** How long a verb waits for a connection before it fails: less than the engine waits for an answer. */
    static final Duration PATIENCE = Duration.ofMillis(1_500);

    /** The same for the first session, for which the client's classes are loaded, too. */
    private static final Duration FIRST_PATIENCE = Duration.ofSeconds(5);

    private final Supplier<CuratorFramework> maker;
    private final boolean owned;
    private final Duration patience;
    private final Settings settings;
    private final EventLoop loop;
    private final Consumer<Session> ended;
    private final Consumer<Session> suspended;
    private final Runnable connected;
    private final ConnectionStateListener listener;
    private final List<CompletableFuture<Session>> waiting = new ArrayList<>();
    private @Nullable CuratorFramework client;
    private @Nullable Session session;

    /** Whether there has been a session. Written under the loop; any thread reads it. */
    private volatile boolean begun;

    /**
     * A connection whose client is not created yet.
     *
     * @param owned whether the client is the store's to start and to close
     * @param patience how long {@link #session} waits for a connection
     * @param settings the servers, for messages; the access list of new nodes; when leases end
     * @param ended receives each session that has ended
     * @param suspended receives the session of an interruption with which leases end
     * @param connected called after each interruption of the connection
     */
    Connection(
            Supplier<CuratorFramework> maker,
            boolean owned,
            Duration patience,
            Settings settings,
            EventLoop loop,
            Consumer<Session> ended,
            Consumer<Session> suspended,
            Runnable connected) {
        this.maker = maker;
        this.owned = owned;
        this.patience = patience;
        this.settings = settings;
        this.loop = loop;
        this.ended = ended;
        this.suspended = suspended;
        this.connected = connected;
        this.listener = (curator, state) -> loop.run(() -> onStateChange(state));
    }

    /** The session, as soon as there is a connection. Fails if there is none for a while. */
    CompletableFuture<Session> session() {
        Session now = present();
        CuratorFramework curator = client;
        if (!owned && curator != null && !isOpen(curator)) {
            return CompletableFuture.failedFuture(Failures.notStarted());
        }
        if (now != null) {
            return CompletableFuture.completedFuture(now);
        }
        CompletableFuture<Session> soon = new CompletableFuture<>();
        waiting.add(soon);
        Duration limit = begun || patience.compareTo(FIRST_PATIENCE) > 0 ? patience : FIRST_PATIENCE;
        var unused = loop.later(limit, () -> giveUp(soon, limit));
        return soon;
    }

    /** The session; null if there is no connection. */
    @Nullable
    Session present() {
        CuratorFramework curator = client;
        if (curator == null) {
            curator = maker.get();
            client = curator;
            curator.getConnectionStateListenable().addListener(listener);
            if (owned) {
                curator.start();
            }
        }
        if (!isOpen(curator)) {
            // The application has closed its client: Curator calls no listener then.
            over(session);
            return null;
        }
        return curator.getZookeeperClient().isConnected() ? refreshed(curator) : null;
    }

    private static boolean isOpen(CuratorFramework curator) {
        return curator.getState() == CuratorFrameworkState.STARTED;
    }

    private @Nullable Session refreshed(CuratorFramework curator) {
        ZooKeeper handle;
        try {
            // Does not block and does not fail while there is a connection.
            handle = curator.getZookeeperClient().getZooKeeper();
        } catch (Exception e) {
            return null;
        }
        if (!handle.getState().isConnected() || handle.getSessionId() == 0) {
            return null;
        }
        Session known = session;
        if (known != null && !known.isOver() && known.isOf(handle)) {
            return known;
        }
        over(known);
        Session fresh = new Session(
                handle, () -> isOpen(curator), loop, settings, owned ? refusal -> {} : new RefusalReport(curator));
        session = fresh;
        begun = true;
        return fresh;
    }

    /** Whether there has been a session. A later one costs a verb no more than a round trip, or fails it soon. */
    boolean hasBegun() {
        return begun;
    }

    private void over(@Nullable Session known) {
        if (known != null && !known.isOver()) {
            known.end();
            ended.accept(known);
        }
    }

    private void onStateChange(ConnectionState state) {
        if (state == ConnectionState.LOST) {
            over(session);
        } else if (state == ConnectionState.SUSPENDED) {
            Session now = session;
            if (now != null && now.suspend()) {
                suspended.accept(now);
            }
        } else if (state.isConnected()) {
            Session now = present();
            if (now != null) {
                List<CompletableFuture<Session>> served = List.copyOf(waiting);
                waiting.clear();
                served.forEach(soon -> soon.complete(now));
                connected.run();
            }
        }
    }

    private void giveUp(CompletableFuture<Session> soon, Duration limit) {
        waiting.removeIf(each -> each == soon);
        if (soon.isDone()) {
            return;
        }
        Session now = present();
        if (now != null) {
            soon.complete(now);
        } else {
            soon.completeExceptionally(whyNot(limit));
        }
    }

    private Exception whyNot(Duration limit) {
        Session last = session;
        if (isRefused()) {
            return Failures.authentication(null);
        }
        return last != null && last.isLoginDemanded()
                ? Failures.loginDemanded(null)
                : Failures.unreachable(settings.where(), limit);
    }

    private boolean isRefused() {
        CuratorFramework curator = client;
        if (curator == null || !isOpen(curator)) {
            return false;
        }
        try {
            return curator.getZookeeperClient().getZooKeeper().getState() == States.AUTH_FAILED;
        } catch (Exception e) {
            return false;
        }
    }

    /** Fails the verbs that wait for a connection. Returns the client, to be closed, if it is the store's own. */
    @Nullable
    CuratorFramework close() {
        List.copyOf(waiting).forEach(soon -> soon.completeExceptionally(Failures.closed()));
        waiting.clear();
        CuratorFramework curator = client;
        if (curator != null) {
            curator.getConnectionStateListenable().removeListener(listener);
        }
        over(session);
        return owned ? curator : null;
    }
}
