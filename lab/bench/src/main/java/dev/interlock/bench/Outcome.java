package dev.interlock.bench;

/**
 * The work of a worker, or of a thread of it, in one run.
 *
 * @param counted operations that ended within the time
 * @param all these operations and those that were in progress at the end
 * @param entered how often the guard was entered
 * @param passedOn how many acquisitions followed a holder in another worker
 * @param cpuNanos processor time of the worker's JVM
 * @param waits the time of each operation until it had the lock or gave up
 */
record Outcome(long counted, long all, long entered, long passedOn, long cpuNanos, Histogram waits) {

    /** The same, with this processor time. */
    Outcome withCpu(long nanos) {
        return new Outcome(counted, all, entered, passedOn, nanos, waits);
    }

    /** The sum of both. */
    Outcome plus(Outcome other) {
        Histogram both = new Histogram();
        both.add(waits);
        both.add(other.waits);
        return new Outcome(
                counted + other.counted,
                all + other.all,
                entered + other.entered,
                passedOn + other.passedOn,
                cpuNanos + other.cpuNanos,
                both);
    }

    /** One line of text. */
    String format() {
        return counted + " " + all + " " + entered + " " + passedOn + " " + cpuNanos + " " + waits.format();
    }

    /** Reads {@link #format}. */
    static Outcome parse(String line) {
        String[] parts = line.split(" ", 6);
        return new Outcome(
                Long.parseLong(parts[0]),
                Long.parseLong(parts[1]),
                Long.parseLong(parts[2]),
                Long.parseLong(parts[3]),
                Long.parseLong(parts[4]),
                // A histogram of nothing is no text.
                Histogram.parse(parts.length > 5 ? parts[5] : ""));
    }
}
