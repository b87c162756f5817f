package dev.interlock.test;

import dev.interlock.LeaseTerm;
import dev.interlock.spi.ClientClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a test, which the store in memory and all clients of the test go by. It runs as fast as any clock, so no
 * wait lasts for ever, and {@link #advance} puts it forward. Thread-safe.
 */
public final class TestClock {

    /** The most steps of one advance, which bound the time that it takes. */
    private static final int MOST_STEPS = 100_000;

    /** The last thing that a client does may make another one do something. */
    private static final int ROUNDS = 2;

    private final boolean movable;

    /** One at a time moves the clock. Taken before {@link #monitor}. */
    private final ReentrantLock moving = new ReentrantLock();

    /** Guards the sets, and the states of the clients; notified when a client has become idle. */
    private final Object monitor = new Object();

    private final Set<ClockOfClient> clients = new HashSet<>();
    private final Set<Sleeper> sleepers = new HashSet<>();
    private final Set<Timer> timers = new HashSet<>();

    /** By how much it has been put forward. Written under {@link #moving}. */
    private final AtomicLong aheadNanos = new AtomicLong();

    /** @param movable whether the store goes by this clock, too */
    TestClock(boolean movable) {
        this.movable = movable;
    }

    /**
     * Puts the clock forward, and has everything happen on the way that is due by then, each at its moment: leases are
     * renewed as long as the store answers, run out, and waits end. When it returns, the clients have done all of that;
     * a thread that waited has been woken, and may not have run yet. A long time in which something happens all the
     * time is passed in coarser steps, of a hundred-thousandth of it.
     *
     * @param time zero to 365 days
     * @throws IllegalArgumentException if {@code time} is out of range
     * @throws IllegalStateException if the test has a real store, whose time nobody can move, or on the thread of a
     *     client, which would wait for itself
     */
    public void advance(Duration time) {
        long nanos = nanosOf(time);
        moving.lock();
        try {
            long end = nanos() + nanos;
            long leastStep = nanos / MOST_STEPS;
            settle();
            for (long now = nanos(); now < end; now = nanos()) {
                moveTo(Math.min(end, Math.max(dueNanos(), now + leastStep)));
            }
        } finally {
            moving.unlock();
        }
    }

    /** Puts the clock forward in one step, as for a process that was stopped meanwhile. Throws as advance. */
    void jump(Duration time) {
        long nanos = nanosOf(time);
        moving.lock();
        try {
            moveTo(nanos() + nanos);
        } finally {
            moving.unlock();
        }
    }

    private long nanosOf(Duration time) {
        if (time.isNegative() || time.compareTo(LeaseTerm.MAX) > 0) {
            throw new IllegalArgumentException("The clock goes forward, by at most " + LeaseTerm.MAX + ": " + time);
        }
        if (!movable) {
            throw new IllegalStateException("The time of a real store cannot be moved: leave out the uri of"
                    + " @InterlockTest for this test, so that it has a store in memory");
        }
        synchronized (monitor) {
            if (clients.stream().anyMatch(client -> client.thread == Thread.currentThread())) {
                throw new IllegalStateException("Move the clock on another thread than that of a client, such as the"
                        + " test's own: an observer is called on it, and it would wait for itself");
            }
        }
        return time.toNanos();
    }

    /** The present moment. */
    long nanos() {
        return System.nanoTime() + aheadNanos.get();
    }

    /** The clock for one more client. */
    ClockOfClient client() {
        ClockOfClient client = new ClockOfClient();
        synchronized (monitor) {
            clients.add(client);
        }
        return client;
    }

    /** Runs this on any thread when so much time has passed, or has been passed over. */
    void after(Duration time, Runnable task) {
        Timer timer = new Timer(nanos() + time.toNanos(), task);
        synchronized (monitor) {
            timers.add(timer);
        }
        CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS).execute(() -> fire(timer));
    }

    private void fire(Timer timer) {
        boolean first;
        synchronized (monitor) {
            first = timers.remove(timer);
        }
        if (first) {
            timer.task.run();
        }
    }

    private void moveTo(long moment) {
        aheadNanos.addAndGet(Math.max(0, moment - nanos()));
        List<Timer> due = new ArrayList<>();
        synchronized (monitor) {
            long now = nanos();
            timers.stream().filter(timer -> timer.atNanos <= now).forEach(due::add);
            sleepers.stream()
                    .filter(sleeper -> sleeper.untilNanos <= now)
                    .forEach(sleeper -> LockSupport.unpark(sleeper.thread));
        }
        due.sort(Comparator.comparingLong(timer -> timer.atNanos));
        due.forEach(this::fire);
        settle();
    }

    /** When something is due next, as far as anybody has said. */
    private long dueNanos() {
        synchronized (monitor) {
            long due = Long.MAX_VALUE;
            for (ClockOfClient client : clients) {
                due = Math.min(due, client.dueNanos);
            }
            for (Sleeper sleeper : sleepers) {
                due = Math.min(due, sleeper.untilNanos);
            }
            for (Timer timer : timers) {
                due = Math.min(due, timer.atNanos);
            }
            return due;
        }
    }

    /** Returns when all clients have done what is due by now. */
    private void settle() {
        for (int round = 0; round < ROUNDS; round++) {
            synchronized (monitor) {
                clients.removeIf(ClockOfClient::isOver);
                for (ClockOfClient client : List.copyOf(clients)) {
                    client.settle();
                }
            }
        }
    }

    private static long sum(long now, long nanos) {
        return nanos > Long.MAX_VALUE - Math.max(0, now) ? Long.MAX_VALUE : now + nanos;
    }

    /** A thread that waits for a lock. Equal to nothing but itself. */
    private static final class Sleeper {

        private final Thread thread = Thread.currentThread();
        private final long untilNanos;

        Sleeper(long untilNanos) {
            this.untilNanos = untilNanos;
        }
    }

    /** Equal to nothing but itself. */
    private static final class Timer {

        private final long atNanos;
        private final Runnable task;

        Timer(long atNanos, Runnable task) {
            this.atNanos = atNanos;
            this.task = task;
        }
    }

    /** The clock as one client has it, whose thread becomes idle again and again. The monitor guards its state. */
    private final class ClockOfClient implements ClientClock {

        private @Nullable Thread thread;
        private long dueNanos = Long.MAX_VALUE;
        private boolean idle;
        private long timesIdle;

        @Override
        public long nanos() {
            return TestClock.this.nanos();
        }

        @Override
        public void park(Object blocker, long nanos) {
            Sleeper sleeper = new Sleeper(sum(nanos(), nanos));
            synchronized (monitor) {
                sleepers.add(sleeper);
            }
            // The clock may have passed the moment before that.
            LockSupport.parkNanos(blocker, Math.max(1, sleeper.untilNanos - nanos()));
            synchronized (monitor) {
                sleepers.remove(sleeper);
            }
        }

        @Override
        public void idle(Object blocker, long nanos) {
            synchronized (monitor) {
                thread = Thread.currentThread();
                dueNanos = sum(nanos(), nanos);
                idle = true;
                timesIdle++;
                monitor.notifyAll();
            }
            LockSupport.parkNanos(blocker, nanos);
            synchronized (monitor) {
                idle = false;
            }
        }

        boolean isOver() {
            return thread != null && !thread.isAlive();
        }

        /**
         * Wakes the client's thread, and waits until it is idle again. It must have been idle before: what others have
         * given it to do until now, it sees only after that. The caller holds the monitor.
         */
        void settle() {
            boolean settled = Bounded.await(monitor, Bounded.LIMIT, () -> idle || isOver());
            long before = timesIdle;
            LockSupport.unpark(thread);
            settled &= Bounded.await(monitor, Bounded.LIMIT, () -> timesIdle > before || isOver());
            if (!settled) {
                throw new IllegalStateException("A client has not done within " + Bounded.LIMIT + " what is due: its"
                        + " thread is " + (thread == null ? "not there" : "at " + List.of(thread.getStackTrace())));
            }
        }
    }
}
