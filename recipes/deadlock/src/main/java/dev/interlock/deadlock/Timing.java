package dev.interlock.deadlock;

import java.time.Duration;

/**
 * How long to wait.
 *
 * @param first how long a caller must have waited before anything is written or read
 * @param pause the time between the two looks that have to see the same circle
 * @param longest the longest time between two looks
 */
record Timing(Duration first, Duration pause, Duration longest) {

    static final Timing USUAL = new Timing(Duration.ofMillis(200), Duration.ofMillis(100), Duration.ofSeconds(3));
}
