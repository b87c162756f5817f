package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.history.HistoryChecker;
import dev.interlock.testkit.history.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/** Competitors that increment one variable under one lock, each on a thread of its own. */
final class Competition {

    private static final String NAME = "competition";
    private static final Duration FORGOTTEN = Duration.ofMillis(50);
    private static final int ONE_IN = 100;
    private static final int DEPTH = 3;

    /** How they use the lock. */
    enum Habit {
        /** Lock and unlock. */
        PLAIN,
        /** Locked up to three times over; and in the first turn and now and then for a short time, never unlocked. */
        CARELESS
    }

    private final int acquisitions;
    private final Habit habit;
    private final List<Competitor> competitors;
    private final HistoryChecker history = new HistoryChecker();
    private final AtomicInteger forgotten = new AtomicInteger();
    // Protected by the lock under test alone.
    private long unprotected;

    Competition(int acquisitions, Habit habit, List<Competitor> competitors) {
        this.acquisitions = acquisitions;
        this.habit = habit;
        this.competitors = competitors;
    }

    /** One of these locks, each used in the plain way. */
    static Competition of(int acquisitions, List<Lock> locks) {
        return new Competition(
                acquisitions,
                Habit.PLAIN,
                locks.stream().<Competitor>map(Competitor.Plain::new).toList());
    }

    /** As {@link #run}; fails besides if one of them is left out. */
    void runFairly() {
        run(Turns.fair(acquisitions, competitors.size()));
    }

    /** Lets each of them use the lock, and checks that nobody ever was beside another. */
    void run() {
        run(Turns.of(acquisitions, competitors.size()));
    }

    private void run(Turns turns) {
        List<User> users = new ArrayList<>();
        competitors.forEach(competitor -> users.add(new User(competitor, "client " + users.size())));
        int taken = turns.take(users).stream().mapToInt(share -> share).sum();
        history.check();
        assertThat(history.size()).isEqualTo(taken - forgotten.get());
        assertThat(unprotected).isEqualTo(history.size());
        assertThat(forgotten.get() > 0).as("somebody forgot").isEqualTo(habit == Habit.CARELESS);
    }

    /** A competitor on its thread. */
    private final class User implements Turns.User {
        private final Competitor competitor;
        private final String owner;
        private final Random random = new Random();
        private boolean hasForgotten;

        User(Competitor competitor, String owner) {
            this.competitor = competitor;
            this.owner = owner;
        }

        @Override
        public void enter() {
            competitor.lock().lock();
            competitor.lock().unlock();
        }

        @Override
        public void turn() {
            if (habit == Habit.PLAIN) {
                nested(competitor.lock(), 1, owner);
            } else if (!hasForgotten || random.nextInt(ONE_IN) == 0) {
                forget(competitor);
                hasForgotten = true;
            } else {
                nested(competitor.lock(), 1 + random.nextInt(DEPTH), owner);
            }
        }
    }

    private void nested(Lock lock, int depth, String owner) {
        lock.lock();
        try {
            if (depth > 1) {
                nested(lock, depth - 1, owner);
            } else {
                increment(owner);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Nothing is done inside: this thread might be paused for longer than the lease. */
    private void forget(Competitor competitor) {
        competitor.lockFor(FORGOTTEN);
        forgotten.incrementAndGet();
        while (!competitor.isOver()) {
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
        competitor.forget();
    }

    private void increment(String owner) {
        long begin = System.nanoTime();
        long before = unprotected;
        // Two that are inside would both write what they read before.
        Thread.onSpinWait();
        unprotected = before + 1;
        // The count stands in for a token, which Redisson's lock does not have: it repeats when an update is lost.
        history.add(new Hold(NAME, owner, unprotected, begin, System.nanoTime()));
    }
}
