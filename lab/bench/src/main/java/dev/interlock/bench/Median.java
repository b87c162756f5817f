package dev.interlock.bench;

import java.util.List;

/** The median of numbers. */
final class Median {

    private Median() {}

    /** The middle one, or the mean of the two in the middle; NaN if there is none. */
    static double of(List<Double> values) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
