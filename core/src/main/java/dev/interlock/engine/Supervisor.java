package dev.interlock.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that watches the time for a client: renewals, deadlines, polls, time-outs. It looks at every live
 * arbiter when the earliest of them has something due, so that nothing has to arm a timer of its own: an acquisition
 * costs one comparison with the next due moment. User code never runs on it.
 *
 * <p>The thread starts with the first thing to watch, and ends with the client.
 */
final class Supervisor {

    private static final Logger LOG = System.getLogger("dev.interlock");
    private static final long MIN_GAP_NANOS = Duration.ofMillis(1).toNanos();
    private static final long MAX_GAP_NANOS = Duration.ofMillis(20).toNanos();

    private final EngineClock clock;
    private final Sweeper sweeper;
    private final AtomicLong dueNanos = new AtomicLong(EngineClock.NEVER);
    private final ThreadFactory threads;
    private volatile @Nullable Thread thread;
    private volatile boolean stopped;

    /** When the last sweep began. Only the supervisor's thread uses it. */
    private long sweptNanos = Long.MIN_VALUE / 2;

    /** What the supervisor looks after. */
    interface Sweeper {

        /** Does what is due; returns when something is due next. */
        long sweep(long now);

        /** How many names it looks at. */
        int size();
    }

    Supervisor(EngineClock clock, Sweeper sweeper, ThreadFactory threads) {
        this.clock = clock;
        this.sweeper = sweeper;
        this.threads = threads;
    }

    /** The thread of a client; a simulation has none and takes the turns itself. */
    static Thread newThread(Runnable watch) {
        Thread thread = new Thread(watch, "interlock-supervisor");
        thread.setDaemon(true);
        return thread;
    }

    /** To be called before anything is there to be watched: a machine that has no thread to give says so now. */
    void begin() {
        if (thread == null) {
            start();
        }
    }

    /** Something will be due then. Cheap if something else is due earlier. */
    void arm(long atNanos) {
        Thread running = thread;
        if (running != null && atNanos >= dueNanos.get()) {
            return;
        }
        dueNanos.accumulateAndGet(atNanos, Math::min);
        LockSupport.unpark(running == null ? start() : running);
    }

    /** Ends the thread, and waits for its end for a bounded time. */
    void stop() {
        stopped = true;
        Thread running = thread;
        if (running != null && running != Thread.currentThread()) {
            LockSupport.unpark(running);
            try {
                running.join(Duration.ofSeconds(1).toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized Thread start() {
        Thread running = thread;
        if (running == null) {
            running = threads.newThread(this::watch);
            thread = running;
            if (!stopped) {
                startOrForget(running);
            }
        }
        return running;
    }

    /** One that could not be started is nobody's supervisor: the next to arm tries again. */
    private void startOrForget(Thread fresh) {
        try {
            fresh.start();
        } catch (Throwable e) {
            thread = null;
            throw e;
        }
    }

    private void watch() {
        while (!stopped) {
            long wakeAt = sweepIfDue(clock.now());
            // From here on: a sweep takes its time.
            long left = wakeAt - clock.now();
            if (left > 0) {
                LockSupport.parkNanos(this, left);
            }
        }
    }

    /**
     * Sweeps if something is due and the last sweep is not too young; returns when to look again. Only one thread may
     * call it.
     */
    long sweepIfDue(long now) {
        long wakeAt = Math.max(dueNanos.get(), sweptNanos + gapNanos());
        if (now < wakeAt) {
            return wakeAt;
        }
        // Cleared before the sweep: what is armed during it counts for the next one.
        dueNanos.set(EngineClock.NEVER);
        sweptNanos = now;
        long due = sweepSafely(now);
        return Math.max(dueNanos.accumulateAndGet(due, Math::min), sweptNanos + gapNanos());
    }

    private long sweepSafely(long now) {
        try {
            return sweeper.sweep(now);
        } catch (Throwable e) {
            // Leases must be watched whatever happens: an error of one sweep must not end the thread.
            LOG.log(Level.ERROR, "Watching the leases failed; trying again", e);
            return now + MAX_GAP_NANOS;
        }
    }

    /**
     * The least time between the beginnings of two sweeps: their cost grows with the number of arbiters, a quarter of a
     * microsecond each, and so does the pause.
     */
    private long gapNanos() {
        return Math.min(MAX_GAP_NANOS, MIN_GAP_NANOS + sweeper.size() * 500L);
    }
}
