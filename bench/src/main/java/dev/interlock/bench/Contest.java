package dev.interlock.bench;

import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Runs one scenario: all peers' clients open, one peer working at a time, in turn. */
final class Contest {

    private static final int MOST_WARM_UPS = 5;
    private static final Duration LISTEN = Duration.ofMillis(300);

    private final Scenario scenario;
    private final Settings settings;
    private final RedisServer server;

    Contest(Scenario scenario, Settings settings, RedisServer server) {
        this.scenario = scenario;
        this.settings = settings;
        this.server = server;
    }

    /** @throws IllegalStateException if a worker failed or a peer broke exclusion */
    Results run() {
        Map<PeerKind, Fleet> fleets = new EnumMap<>(PeerKind.class);
        try {
            for (PeerKind peer : scenario.peers()) {
                fleets.put(peer, Fleet.open(peer, scenario, server.uri(), settings.here()));
            }
            return rounds(fleets);
        } finally {
            fleets.values().forEach(Fleet::close);
        }
    }

    private Results rounds(Map<PeerKind, Fleet> fleets) {
        Map<PeerKind, Mix> mixes = new EnumMap<>(PeerKind.class);
        fleets.forEach((peer, fleet) -> mixes.put(peer, warmUp(fleet)));
        Results results = new Results();
        for (int round = 0; round < settings.rounds(); round++) {
            fleets.forEach((peer, fleet) -> {
                fleet.run(settings.pause()).join();
                results.add(peer, measure(fleet, mixes.getOrDefault(peer, new Mix())));
            });
        }
        return results;
    }

    private Mix warmUp(Fleet fleet) {
        long done = 0;
        for (int i = 0; i < MOST_WARM_UPS && done < settings.warmOperations(); i++) {
            done += fleet.run(settings.warmUp()).join().stream()
                    .mapToLong(Outcome::all)
                    .sum();
        }
        return Mix.learn(server.port(), () -> fleet.run(LISTEN));
    }

    private Sample measure(Fleet fleet, Mix mix) {
        Duration time = settings.time();
        Commands before = Commands.read(server);
        List<Outcome> outcomes = fleet.run(time).join();
        Commands calls = Commands.read(server).since(before);
        return new Sample(time, outcomes, calls.fromClients(mix), calls.cpuSeconds());
    }
}
