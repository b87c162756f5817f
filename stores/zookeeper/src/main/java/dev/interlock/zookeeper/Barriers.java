package dev.interlock.zookeeper;

import dev.interlock.spi.LockId;
import dev.interlock.support.EventLoop;
import dev.interlock.zookeeper.node.Paths;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.zookeeper.Watcher;

/**
 * The part of the store that Curator's barriers use. As long as one is in use, the session is proved, and whoever waits
 * is signalled when the connection has changed. Guarded by the event loop.
 */
final class Barriers {

    /** When a deletion that has failed is repeated. */
    private static final Duration REPEAT_DELAY = Duration.ofSeconds(1);

    private final EventLoop loop;
    private final Paths paths;
    private final Watches watches;
    private final Supplier<CompletableFuture<Session>> sessions;
    private final Consumer<Session> keepProving;
    private final Set<Change> inUse = new HashSet<>();

    Barriers(
            EventLoop loop,
            Paths paths,
            Watches watches,
            Supplier<CompletableFuture<Session>> sessions,
            Consumer<Session> keepProving) {
        this.loop = loop;
        this.paths = paths;
        this.watches = watches;
        this.sessions = sessions;
        this.keepProving = keepProving;
    }

    /** The node of the barrier of this name. Any thread may call it. */
    String path(String name) {
        return paths.of(LockId.lock(name));
    }

    /** The session, as soon as there is a connection. */
    CompletableFuture<Session> session() {
        return sessions.get();
    }

    /** Signals this from now on when the connection has changed, and keeps the proof of the session fresh. */
    void attend(Session now, Change change) {
        if (inUse.add(change)) {
            keepProving.accept(now);
        }
    }

    void dismiss(Change change) {
        inUse.remove(change);
    }

    boolean areInUse() {
        return !inUse.isEmpty();
    }

    /** The connection has changed, so events may have been missed. */
    void signal() {
        List.copyOf(inUse).forEach(Change::signal);
    }

    Watcher watch(String path, NodeListener listener) {
        return watches.add(path, listener);
    }

    void unwatch(Session session, String path, NodeListener listener) {
        watches.remove(session, path, listener);
    }

    void repeatLater(Runnable task) {
        var unused = loop.later(REPEAT_DELAY, task);
    }
}
