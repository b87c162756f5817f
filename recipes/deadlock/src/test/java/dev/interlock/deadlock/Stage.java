package dev.interlock.deadlock;

import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.fixture.LockClients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The clients and actors of one run, each client with a detector that is quick to look. */
final class Stage implements AutoCloseable {

    static final Timing QUICK = new Timing(Duration.ofMillis(20), Duration.ofMillis(20), Duration.ofMillis(50));

    private final LockClients clients;
    private final Map<Interlock, Detector> detectors = new ConcurrentHashMap<>();
    private final List<Actor> actors = new ArrayList<>();

    Stage(Supplier<LockStore> opener) {
        this.clients = new LockClients(opener);
    }

    String name() {
        return clients.name();
    }

    Interlock client() {
        return client(builder -> builder);
    }

    Interlock client(UnaryOperator<InterlockBuilder> settings) {
        AtomicReference<Detector> detector = new AtomicReference<>();
        Interlock client = clients.open(builder -> {
            detector.set(Detector.addTo(builder, QUICK));
            return settings.apply(builder);
        });
        detectors.put(client, detector.get());
        return client;
    }

    Interlock clientWithoutDetector() {
        return clients.open();
    }

    Actor actor(Interlock client) {
        Actor actor = new Actor(client, "actor-" + actors.size());
        actors.add(actor);
        return actor;
    }

    /** An actor with a client of its own. */
    Actor actor() {
        return actor(client());
    }

    /** Returns when so many waits can be read by others. */
    void awaitPublished(int count) {
        await("waits are published").pollInterval(Duration.ofMillis(2)).until(() -> published() == count);
    }

    private long published() {
        return detectors.values().stream().mapToLong(Detector::published).sum();
    }

    /** Returns when each client with a wait has looked so many times more. */
    void awaitLooks(int more) {
        for (Detector detector : detectors.values()) {
            long until = detector.looks() + more;
            await("looks are taken")
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> detector.published() == 0 || detector.looks() >= until);
        }
    }

    @Override
    public void close() {
        actors.forEach(Actor::close);
        clients.closeAll();
    }
}
