package dev.interlock.bench;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Runs one scenario on a wire: all peers' clients open, one peer working at a time, in turn. */
final class WireContest {

    private final Scenario scenario;
    private final Settings settings;
    private final Wire wire;

    WireContest(Scenario scenario, Settings settings, Wire wire) {
        this.scenario = scenario;
        this.settings = settings;
        this.wire = wire;
    }

    /** @throws IllegalStateException if a worker failed or a peer broke exclusion */
    Results run() {
        Map<PeerKind, Fleet> fleets = new EnumMap<>(PeerKind.class);
        try {
            for (PeerKind peer : scenario.peers()) {
                fleets.put(peer, Fleet.open(peer, scenario, wire.uri(), settings.here()));
            }
            fleets.values().forEach(fleet -> fleet.run(settings.warmUp()).join());
            Results results = new Results();
            for (int round = 0; round < settings.rounds(); round++) {
                fleets.forEach((peer, fleet) -> results.add(peer, measure(fleet)));
            }
            return results;
        } finally {
            fleets.values().forEach(Fleet::close);
        }
    }

    private Sample measure(Fleet fleet) {
        fleet.run(settings.pause()).join();
        Duration time = settings.time();
        long passedOnBefore = fleet.passedOn();
        wire.requests().reset();
        List<Outcome> outcomes = fleet.run(time).join();
        double requests = wire.requests().total();
        long passedOn = fleet.passedOn() - passedOnBefore;
        return new Sample(time, outcomes, requests, Double.NaN, requests / Math.max(1, passedOn), 0);
    }
}
