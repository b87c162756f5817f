package dev.interlock.bench;

/**
 * Counts durations in buckets of at most 0.4 % width. Not thread-safe: each thread has its own, and they are merged
 * later.
 */
final class Histogram {

    private static final int SUB_BITS = 8;
    private static final int SUB = 1 << SUB_BITS;

    private final long[] counts = new long[SUB * (Long.SIZE - SUB_BITS)];
    private long total;

    /** Counts one duration. */
    void record(long nanos) {
        counts[index(Math.max(0, nanos))]++;
        total++;
    }

    /** Adds what the other one counted. */
    void add(Histogram other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        total += other.total;
    }

    /** How many were counted. */
    long total() {
        return total;
    }

    /**
     * The duration, in nanoseconds, that this share (0 to 1) of all counted ones does not exceed, rounded up by at most
     * a bucket; 0 if none was counted.
     */
    long percentile(double share) {
        long rank = (long) Math.ceil(share * total);
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank && seen > 0) {
                return upperEdge(i);
            }
        }
        return 0;
    }

    /** The text that {@link #parse} reads: {@code bucket:count}, with commas between. */
    String format() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                text.append(text.length() == 0 ? "" : ",").append(i).append(':').append(counts[i]);
            }
        }
        return text.toString();
    }

    /** Reads what {@link #format} wrote. */
    static Histogram parse(String text) {
        Histogram histogram = new Histogram();
        int from = 0;
        while (from < text.length()) {
            int colon = text.indexOf(':', from);
            int comma = text.indexOf(',', colon);
            int end = comma < 0 ? text.length() : comma;
            long count = Long.parseLong(text.substring(colon + 1, end));
            histogram.counts[Integer.parseInt(text.substring(from, colon))] = count;
            histogram.total += count;
            from = end + 1;
        }
        return histogram;
    }

    private static int index(long nanos) {
        if (nanos < SUB) {
            return (int) nanos;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - SUB_BITS;
        return SUB * (shift + 1) + (int) ((nanos >>> shift) - SUB);
    }

    private static long upperEdge(int index) {
        if (index < SUB) {
            return index;
        }
        int shift = index / SUB - 1;
        long low = (long) (SUB + index % SUB) << shift;
        return low + (1L << shift) - 1;
    }
}
