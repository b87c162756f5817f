package dev.interlock.zookeeper;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * Which claims want to hear of which nodes. To ZooKeeper's client it is one watcher for all: the client keeps a watcher
 * until something happens to the node, which may be long after the claim has given up, and keeps the same one only
 * once. Used on the loop only.
 */
final class Watches {

    private final Loop loop;
    private final Watcher watcher = this::happened;
    private final Map<String, Set<Standing>> byPath = new HashMap<>();

    Watches(Loop loop) {
        this.loop = loop;
    }

    /** Tells the claim of this node from now on; the watcher to read it with. */
    Watcher add(String path, Standing interested) {
        byPath.computeIfAbsent(path, node -> new HashSet<>()).add(interested);
        return watcher;
    }

    /** Does not tell the claim of this node any more. */
    void remove(String path, Standing gone) {
        byPath.computeIfPresent(path, (node, interested) -> {
            interested.remove(gone);
            return interested.isEmpty() ? null : interested;
        });
    }

    private void happened(WatchedEvent event) {
        String path = event.getPath();
        if (path != null) {
            var unused = loop.run(() -> List.copyOf(byPath.getOrDefault(path, Set.of()))
                    .forEach(interested -> interested.happened(event.getType(), path)));
        }
    }
}
