package dev.interlock.simulation;

import java.util.random.RandomGenerator;

/**
 * Numbers made of a seed, the same on every machine and in every version of Java: SplitMix64. Not thread-safe, and
 * guessable: for simulated clients only.
 */
final class Chance implements RandomGenerator {

    private static final long STEP = 0x9E3779B97F4A7C15L;

    private long state;

    Chance(long seed) {
        this.state = seed;
    }

    /** Numbers of their own for one part of a run: what another part takes does not change them. */
    static Chance of(long seed, long part) {
        return new Chance(mixed(seed + part * 0x632BE59BD9B4E019L));
    }

    @Override
    public long nextLong() {
        state += STEP;
        return mixed(state);
    }

    private static long mixed(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** The methods of the interface may change from one version of Java to the next. */
    @Override
    public long nextLong(long bound) {
        return Long.remainderUnsigned(nextLong(), bound);
    }

    /** From {@code low} to {@code high}, both included. */
    long between(long low, long high) {
        return low + nextLong(high - low + 1);
    }

    /** As {@link #between}, but as often from 1 to 10 as from 10 to 100. */
    long spread(long low, long high) {
        long at = low;
        while (at < high / 4 && nextLong(2) == 0) {
            at *= 4;
        }
        return between(at, Math.min(high, at * 4));
    }

    /** True once in so many times. */
    boolean oneIn(int times) {
        return nextLong(times) == 0;
    }

    long oneOf(long... values) {
        return values[(int) nextLong(values.length)];
    }

    <T> T oneOf(T[] values) {
        return values[(int) nextLong(values.length)];
    }
}
