package dev.interlock.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class HistogramTest {

    @Test
    void percentilesAreExactToWithinABucket() {
        Histogram histogram = new Histogram();
        for (long micros = 1; micros <= 100_000; micros++) {
            histogram.record(micros * 1_000);
        }
        assertThat(histogram.percentile(0.5)).isCloseTo(50_000_000, Percentage.withPercentage(0.5));
        assertThat(histogram.percentile(0.99)).isCloseTo(99_000_000, Percentage.withPercentage(0.5));
        assertThat(histogram.percentile(1)).isCloseTo(100_000_000, Percentage.withPercentage(0.5));
        assertThat(histogram.percentile(0)).isCloseTo(1_000, within(10L));
    }

    @Test
    void theLongestDurationHasABucket() {
        Histogram histogram = new Histogram();
        histogram.record(Long.MAX_VALUE);
        histogram.record(-1);
        assertThat(histogram.total()).isEqualTo(2);
        assertThat(histogram.percentile(0.5)).isZero();
    }

    @Test
    void textKeepsEverything() {
        Histogram histogram = new Histogram();
        histogram.record(5);
        histogram.record(123_456);
        histogram.record(123_456);
        Histogram copy = Histogram.parse(histogram.format());
        copy.add(Histogram.parse(""));
        assertThat(copy.format()).isEqualTo(histogram.format());
        assertThat(copy.total()).isEqualTo(3);
    }
}
