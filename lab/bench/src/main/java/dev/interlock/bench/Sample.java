package dev.interlock.bench;

import java.time.Duration;
import java.util.List;

/**
 * The work of all workers of one peer in one round.
 *
 * @param time for how long they worked
 * @param workers the work of each
 * @param clientCommands the commands that the server received from clients in this time
 * @param serverSeconds processor time of the server
 * @param commandsPerHandOver commands for each acquisition that followed a holder in another worker; NaN if there is
 *     only one worker
 * @param overtaken how often a waiter was overtaken by one that began to wait clearly later
 */
record Sample(
        Duration time,
        List<Outcome> workers,
        double clientCommands,
        double serverSeconds,
        double commandsPerHandOver,
        long overtaken) {

    /** Operations that ended within the time, per second. */
    double perSecond() {
        return counted() / (time.toNanos() / 1e9);
    }

    /** Commands for each operation. */
    double commandsPerOperation() {
        return clientCommands / total().all();
    }

    /** Acquisitions that found the holder before in another worker, per second. */
    double handOversPerSecond() {
        return total().passedOn() / (time.toNanos() / 1e9);
    }

    /** The operations of the worker that got the fewest, as a part of its fair share. */
    double smallestShare() {
        long fewest = workers.stream().mapToLong(Outcome::counted).min().orElse(0);
        return (double) fewest * workers.size() / counted();
    }

    /** The wait, in milliseconds, that this share of all operations did not exceed. */
    double waitMillis(double share) {
        return total().waits().percentile(share) / 1e6;
    }

    /** Commands for each time that all these threads tried together. */
    double commandsPerWave(int threads) {
        return clientCommands * threads / total().all();
    }

    /**
     * Processor time of the workers' JVMs, in microseconds for each operation: unlike all times, it does not depend on
     * what else the machine does.
     */
    double clientMicros() {
        return total().cpuNanos() / 1e3 / total().all();
    }

    /** Processor time of the server, in microseconds for each operation. */
    double serverMicros() {
        return serverSeconds * 1e6 / total().all();
    }

    private long counted() {
        return workers.stream().mapToLong(Outcome::counted).sum();
    }

    private Outcome total() {
        return workers.stream().reduce(Outcome::plus).orElseThrow();
    }
}
