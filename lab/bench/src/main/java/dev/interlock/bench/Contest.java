package dev.interlock.bench;

import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Runs one scenario: the clients of all peers are open, and one peer works at a time, in turn. */
final class Contest {

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
        fleet.warmUp(settings);
        Duration listen = settings.warmUp().compareTo(LISTEN) < 0 ? settings.warmUp() : LISTEN;
        return Mix.learn(server.port(), () -> fleet.run(listen));
    }

    /** In the middle of a run: what the workers' first and last steps cost is no hand-over's. */
    private double commandsPerHandOver(Fleet fleet, Mix mix) {
        Duration edge = settings.time().dividedBy(5);
        Pause.of(edge);
        Commands before = Commands.read(server);
        long passedOnBefore = fleet.passedOn();
        Pause.of(settings.time().minus(edge).minus(edge));
        Commands calls = Commands.read(server).since(before);
        // One more hand-over may be under way when the commands are read: paid for, and not yet seen by the guard.
        return calls.fromClients(mix) / (fleet.passedOn() - passedOnBefore + 1);
    }

    private Sample measure(Fleet fleet, Mix mix) {
        Duration time = settings.time();
        Commands before = Commands.read(server);
        long overtakenBefore = fleet.overtaken();
        CompletableFuture<List<Outcome>> run = fleet.run(time);
        double commandsPerHandOver = scenario.jvms() == 1 ? Double.NaN : commandsPerHandOver(fleet, mix);
        List<Outcome> outcomes = run.join();
        Commands calls = Commands.read(server).since(before);
        return new Sample(
                time,
                outcomes,
                calls.fromClients(mix),
                calls.cpuSeconds(),
                commandsPerHandOver,
                fleet.overtaken() - overtakenBefore);
    }
}
