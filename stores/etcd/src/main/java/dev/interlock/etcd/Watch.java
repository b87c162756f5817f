package dev.interlock.etcd;

import dev.interlock.support.EventLoop;
import io.etcd.jetcd.Watch.Watcher;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import java.util.HashMap;
import java.util.Map;

/**
 * Waits for the moment when an obstacle may be out of the way, and reports it once. It does not prove anything: whoever
 * is told reads again. It also reports when it cannot go on, for example since etcd has removed the revisions from
 * which on to watch. The event loop guards every field.
 */
final class Watch {

    private final Queue.Obstacle obstacle;
    private final Runnable report;
    private final Map<String, Integer> weights;
    private final Watcher watcher;
    private long missing;
    private boolean over;

    /**
     * Watches from now on.
     *
     * @param revision the revision at which the obstacle was seen: no later event is missed
     */
    Watch(Etcd etcd, EventLoop loop, Queue.Obstacle obstacle, long revision, Runnable report) {
        this.obstacle = obstacle;
        this.report = report;
        this.weights = new HashMap<>(obstacle.weights());
        this.missing = obstacle.missing();
        WatchOption option = WatchOption.builder()
                .isPrefix(obstacle.isPrefix())
                .withRevision(revision + 1)
                .withRequireLeader(true)
                .build();
        this.watcher = etcd.watch(
                obstacle.key(),
                option,
                io.etcd.jetcd.Watch.listener(
                        event -> loop.run(() -> received(event)),
                        failure -> loop.run(this::due),
                        () -> loop.run(this::due)));
    }

    /** Whether it still waits for the same. */
    boolean isFor(Queue.Obstacle other) {
        return !over && obstacle.key().equals(other.key()) && missing == other.missing();
    }

    void end() {
        if (!over) {
            over = true;
            watcher.close();
        }
    }

    private void received(WatchResponse events) {
        boolean isDue = false;
        for (WatchEvent event : events.getEvents()) {
            String key = StoredKey.of(event.getKeyValue()).name();
            Integer weight = weights.get(key);
            if (event.getEventType() == WatchEvent.EventType.DELETE && weight != null) {
                weights.remove(key);
                missing -= weight;
                isDue |= missing <= 0;
            } else {
                // What a semaphore or a latch says, or a writer that has become a reader.
                isDue |= weight != null || key.equals(obstacle.key());
            }
        }
        if (isDue) {
            due();
        }
    }

    private void due() {
        if (!over) {
            end();
            report.run();
        }
    }
}
