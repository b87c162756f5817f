package dev.interlock.engine;

import dev.interlock.spi.Log;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that watches the time for a client: renewals, deadlines, polls, time-outs. It looks at every live
 * arbiter when something is due for one of them. So nothing else arms a timer: an acquisition costs one comparison with
 * the next due moment. User code never runs on this thread.
 *
 * <p>The thread starts with the first thing to watch, and ends with the client.
 */
final class Supervisor {

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

    /** The arbiters and whatever else the supervisor looks after. */
    interface Sweeper {

        /** Does what is due; returns when something is due next. */
        long sweep(long now);

        /** How many arbiters a sweep looks at. */
        int size();
    }

    Supervisor(EngineClock clock, Sweeper sweeper, ThreadFactory threads) {
        this.clock = clock;
        this.sweeper = sweeper;
        this.threads = threads;
    }

    /** Makes the thread of a client. A simulation has none, and calls {@link #sweepIfDue} itself. */
    static Thread newThread(Runnable watch) {
        Thread thread = new Thread(watch, "interlock-supervisor");
        thread.setDaemon(true);
        return thread;
    }

    /** Starts the thread before there is anything to watch: a machine that can start no thread fails here. */
    void begin() {
        if (thread == null) {
            start();
        }
    }

    /** Something will be due at this moment. Cheap if something else is due earlier. */
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

    /** Starts the thread, or forgets it so that the next call tries again. */
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
            // Counted from here on: a sweep takes its time.
            long left = wakeAt - clock.now();
            if (left > 0) {
                clock.idle(this, left);
            }
        }
    }

    /**
     * Sweeps if something is due and the last sweep is not too recent; returns when to look again. Only one thread may
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
            Log.named("dev.interlock").log(Level.ERROR, "Watching the leases failed; trying again", e);
            return now + MAX_GAP_NANOS;
        }
    }

    /**
     * The least time between the beginnings of two sweeps: a sweep costs a quarter of a microsecond for each arbiter,
     * and so the pause grows with their number.
     */
    private long gapNanos() {
        return Math.min(MAX_GAP_NANOS, MIN_GAP_NANOS + sweeper.size() * 500L);
    }
}
