package dev.interlock.bench;

/**
 * What a worker, or a thread of it, did in one run.
 *
 * @param counted operations that ended within the time
 * @param all those and the ones under way when it ended
 * @param entered how often the guard was entered
 * @param passedOn how many of all acquisitions found that the holder before was in another worker
 * @param waits how long each of all operations took to get the lock, or to give up
 */
record Outcome(long counted, long all, long entered, long passedOn, Histogram waits) {

    /** The sum of both. */
    Outcome plus(Outcome other) {
        Histogram both = new Histogram();
        both.add(waits);
        both.add(other.waits);
        return new Outcome(
                counted + other.counted, all + other.all, entered + other.entered, passedOn + other.passedOn, both);
    }

    /** One line of text. */
    String format() {
        return counted + " " + all + " " + entered + " " + passedOn + " " + waits.format();
    }

    /** Reads {@link #format}. */
    static Outcome parse(String line) {
        String[] parts = line.split(" ", 5);
        return new Outcome(
                Long.parseLong(parts[0]),
                Long.parseLong(parts[1]),
                Long.parseLong(parts[2]),
                Long.parseLong(parts[3]),
                Histogram.parse(parts[4]));
    }
}
