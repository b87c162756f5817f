package dev.interlock.zookeeper.node;

import java.time.Duration;

/**
 * The time of the servers at one moment of this process's monotonic clock; the age of a node follows from it. It is
 * informative: no lock is granted or lost by it.
 *
 * @param serverMillis the time of the servers, in milliseconds since 1970
 * @param atNanos the same moment, by {@link System#nanoTime}
 */
public record ServerClock(long serverMillis, long atNanos) {

    /** The time since that moment of the servers; not negative. */
    public Duration since(long millis) {
        Duration age = Duration.ofMillis(serverMillis - millis).plusNanos(System.nanoTime() - atNanos);
        return age.isNegative() ? Duration.ZERO : age;
    }
}
