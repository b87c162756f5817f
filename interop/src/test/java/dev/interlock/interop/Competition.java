package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.history.HistoryChecker;
import dev.interlock.testkit.history.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/** Competitors that increment one variable under one lock, each on a thread of its own. */
final class Competition {

    private static final String NAME = "competition";
    private static final Duration FORGOTTEN = Duration.ofMillis(50);
    private static final int ONE_IN = 100;
    private static final double LEAST_SHARE = 0.1;
    private static final int DEPTH = 3;

    /** How they use the lock. */
    enum Habit {
        /** Lock and unlock. */
        PLAIN,
        /** Locked up to three times over; and now and then for a short fixed time, and never unlocked. */
        CARELESS
    }

    private final int acquisitions;
    private final Habit habit;
    private final List<Competitor> competitors;
    private final HistoryChecker history = new HistoryChecker();
    private final StartLine start;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger forgotten = new AtomicInteger();
    // Protected by the lock under test alone.
    private long unprotected;

    Competition(int acquisitions, Habit habit, List<Competitor> competitors) {
        this.acquisitions = acquisitions;
        this.habit = habit;
        this.competitors = competitors;
        this.start = new StartLine(competitors.size());
    }

    /** One of these locks, each used in the plain way. */
    static Competition of(int acquisitions, List<Lock> locks) {
        return new Competition(
                acquisitions,
                Habit.PLAIN,
                locks.stream().<Competitor>map(Competitor.Plain::new).toList());
    }

    /** As {@link #run}; fails besides if one of them got less than a tenth of its fair share. */
    void runFairly() {
        int fair = acquisitions / competitors.size();
        // No order is promised between processes; but nobody may be left out.
        assertThat(run()).as("in the order of the clients").allMatch(share -> share >= LEAST_SHARE * fair);
    }

    /** Returns how often each was inside, when nobody ever was beside another. */
    List<Integer> run() {
        ExecutorService threads = Executors.newFixedThreadPool(competitors.size());
        try {
            List<CompletableFuture<Integer>> runs = new ArrayList<>();
            for (Competitor competitor : competitors) {
                String owner = "client " + runs.size();
                runs.add(CompletableFuture.supplyAsync(() -> use(competitor, owner), threads));
            }
            List<Integer> shares = runs.stream()
                    .map(run -> run.orTimeout(10, TimeUnit.MINUTES).join())
                    .toList();
            history.check();
            assertThat(history.size()).isEqualTo(acquisitions - forgotten.get());
            assertThat(unprotected).isEqualTo(history.size());
            assertThat(forgotten.get() > 0).as("somebody forgot").isEqualTo(habit == Habit.CARELESS);
            return shares;
        } finally {
            threads.shutdownNow();
        }
    }

    private int use(Competitor competitor, String owner) {
        start.cross(competitor.lock());
        Random random = new Random();
        int own = 0;
        while (begun.incrementAndGet() <= acquisitions) {
            if (habit == Habit.CARELESS && random.nextInt(ONE_IN) == 0) {
                forget(competitor);
            } else {
                int depth = habit == Habit.CARELESS ? 1 + random.nextInt(DEPTH) : 1;
                nested(competitor.lock(), depth, owner);
            }
            own++;
        }
        return own;
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
