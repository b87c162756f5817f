package dev.interlock.zookeeper;

import java.time.Duration;

/**
 * What the servers' clock said at one moment of ours: how old a node is follows from it. Informative: nothing is
 * decided by it.
 */
record ServerClock(long serverMillis, long atNanos) {

    /** How long ago that was; not negative. */
    Duration since(long millis) {
        Duration age = Duration.ofMillis(serverMillis - millis).plusNanos(System.nanoTime() - atNanos);
        return age.isNegative() ? Duration.ZERO : age;
    }
}
