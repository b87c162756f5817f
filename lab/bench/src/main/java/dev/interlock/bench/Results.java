package dev.interlock.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The samples of one scenario. Not thread-safe. */
final class Results {

    private final Map<PeerKind, List<Sample>> samples = new EnumMap<>(PeerKind.class);

    void add(PeerKind peer, Sample sample) {
        samples.computeIfAbsent(peer, key -> new ArrayList<>()).add(sample);
    }

    /** Who took part. */
    Set<PeerKind> peers() {
        return samples.keySet();
    }

    /** Whether all of these took part. */
    boolean have(PeerKind... peers) {
        return samples.keySet().containsAll(List.of(peers));
    }

    /** The median over the rounds; NaN if the peer took no part. */
    double median(PeerKind peer, ToDoubleFunction<Sample> measure) {
        return Median.of(values(peer, measure));
    }

    /** The smallest over the rounds. */
    double least(PeerKind peer, ToDoubleFunction<Sample> measure) {
        return values(peer, measure).stream().mapToDouble(v -> v).min().orElse(Double.NaN);
    }

    /** The largest over the rounds. */
    double most(PeerKind peer, ToDoubleFunction<Sample> measure) {
        return values(peer, measure).stream().mapToDouble(v -> v).max().orElse(Double.NaN);
    }

    private List<Double> values(PeerKind peer, ToDoubleFunction<Sample> measure) {
        return samples.getOrDefault(peer, List.of()).stream()
                .map(measure::applyAsDouble)
                .toList();
    }
}
