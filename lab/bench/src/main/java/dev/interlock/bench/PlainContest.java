package dev.interlock.bench;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** Runs one scenario on any server: the clients of all peers are open, and one peer works at a time, in turn. */
final class PlainContest {

    private final Scenario scenario;
    private final Settings settings;
    private final String uri;
    private final DoubleSupplier requests;

    /**
     * A contest on the server at this URI.
     *
     * @param requests what the server has been asked up to now; NaN if nobody counts
     */
    PlainContest(Scenario scenario, Settings settings, String uri, DoubleSupplier requests) {
        this.scenario = scenario;
        this.settings = settings;
        this.uri = uri;
        this.requests = requests;
    }

    /** @throws IllegalStateException if a worker failed or a peer broke exclusion */
    Results run() {
        Map<PeerKind, Fleet> fleets = new EnumMap<>(PeerKind.class);
        try {
            for (PeerKind peer : scenario.peers()) {
                fleets.put(peer, Fleet.open(peer, scenario, uri, settings.here()));
            }
            fleets.values().forEach(fleet -> fleet.warmUp(settings));
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
        double askedBefore = requests.getAsDouble();
        List<Outcome> outcomes = fleet.run(time).join();
        double asked = requests.getAsDouble() - askedBefore;
        long passedOn = fleet.passedOn() - passedOnBefore;
        return new Sample(time, outcomes, asked, Double.NaN, asked / Math.max(1, passedOn), 0);
    }
}
