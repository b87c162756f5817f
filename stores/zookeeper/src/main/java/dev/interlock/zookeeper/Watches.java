package dev.interlock.zookeeper;

import dev.interlock.support.EventLoop;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * The listeners of each node. ZooKeeper's client sees a single watcher for all of them: the client keeps a watcher
 * until something happens to the node, which may be long after the claim has given up, but keeps the same watcher only
 * once.
 *
 * <p>Guarded by the event loop.
 */
final class Watches {

    private final EventLoop loop;
    private final Watcher watcher = this::dispatch;
    private final Map<String, Set<NodeListener>> byPath = new HashMap<>();

    Watches(EventLoop loop) {
        this.loop = loop;
    }

    /** Registers a listener of this node. Returns the watcher to read the node with. */
    Watcher add(String path, NodeListener listener) {
        byPath.computeIfAbsent(path, node -> new HashSet<>()).add(listener);
        return watcher;
    }

    /** Removes a listener of this node. */
    void remove(String path, NodeListener listener) {
        byPath.computeIfPresent(path, (node, listeners) -> {
            listeners.remove(listener);
            return listeners.isEmpty() ? null : listeners;
        });
    }

    /** Removes a listener of a node that may never exist. If it was the last one, the session forgets the watch. */
    void remove(Session session, String path, NodeListener listener) {
        boolean known = byPath.containsKey(path);
        remove(path, listener);
        if (known && !byPath.containsKey(path)) {
            session.unwatch(path, watcher);
        }
    }

    private void dispatch(WatchedEvent event) {
        String path = event.getPath();
        if (path != null) {
            var unused = loop.run(() -> List.copyOf(byPath.getOrDefault(path, Set.of()))
                    .forEach(listener -> listener.nodeChanged(event.getType(), path)));
        }
    }
}
