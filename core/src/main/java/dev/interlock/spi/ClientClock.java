package dev.interlock.spi;

/**
 * Time as a client sees it, for tests that move it: see {@link dev.interlock.InterlockBuilder#clock}. Implementations
 * are thread-safe. A thread that sleeps may be woken by {@link java.util.concurrent.locks.LockSupport#unpark}, by
 * anybody and at any time: both ways to sleep end then, as for no reason, and the client looks at the time again.
 */
public interface ClientClock {

    /** {@return the present moment, in nanoseconds from any origin; never less than before} */
    long nanos();

    /**
     * Has the calling thread sleep, which waits for a lock.
     *
     * @param blocker what it waits for, for people who look at the thread
     * @param nanos for how long at most, by this clock; {@code Long.MAX_VALUE} for no limit
     */
    void park(Object blocker, long nanos);

    /**
     * Has the calling thread sleep, which is the client's own one and has done all that is due by now.
     *
     * @param blocker what it waits for, for people who look at the thread
     * @param nanos when the next thing is due, from now and by this clock
     */
    void idle(Object blocker, long nanos);
}
