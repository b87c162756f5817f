package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The turns that users of one lock take, each user on a thread of its own. For single use.
 *
 * <p>They begin when each user has been inside once: or those that are connected might use up all turns before the last
 * one is. They go on until all are taken and each user has its least share: a busy machine may leave a thread without a
 * processor for longer than the others need for all turns. A user that still has less after {@value #LIMIT} times the
 * turns was left out by the others.
 */
final class Turns {

    private static final int LIMIT = 20;
    private static final double LEAST_SHARE = 0.1;

    private final int turns;
    private final int least;
    private final CountDownLatch notInsideYet;
    private final AtomicInteger belowShare;
    private final AtomicInteger begun = new AtomicInteger();

    /** Who uses the lock. */
    interface User {
        /** Is inside once, before the turns begin. */
        void enter() throws Exception;

        /** Takes one turn. */
        void turn() throws Exception;
    }

    private Turns(int turns, int least, int users) {
        this.turns = turns;
        this.least = least;
        this.notInsideYet = new CountDownLatch(users);
        this.belowShare = new AtomicInteger(least > 0 ? users : 0);
    }

    /** Turns of which no share is promised to anybody. */
    static Turns of(int turns, int users) {
        return new Turns(turns, 0, users);
    }

    /** Turns of which each user must get a tenth of a fair share: no order is promised, but nobody is left out. */
    static Turns fair(int turns, int users) {
        return new Turns(turns, (int) Math.ceil(LEAST_SHARE * turns / users), users);
    }

    /** Lets them take their turns; returns how many each took, in the order of the users. */
    List<Integer> take(List<? extends User> users) {
        ExecutorService threads = Executors.newFixedThreadPool(users.size());
        try {
            List<CompletableFuture<Integer>> runs = users.stream()
                    .map(user -> CompletableFuture.supplyAsync(() -> CuratorLock.call(() -> use(user)), threads))
                    .toList();
            List<Integer> shares = runs.stream()
                    .map(run -> run.orTimeout(10, TimeUnit.MINUTES).join())
                    .toList();
            assertThat(shares).as("turns of each user").allMatch(share -> share >= least);
            return shares;
        } finally {
            threads.shutdownNow();
        }
    }

    private int use(User user) throws Exception {
        try {
            user.enter();
        } finally {
            // Also of one that fails: the others would wait for it for ever.
            notInsideYet.countDown();
        }
        notInsideYet.await();
        int own = 0;
        while (isNextTurnWanted()) {
            user.turn();
            own++;
            if (own == least) {
                belowShare.decrementAndGet();
            }
        }
        return own;
    }

    private boolean isNextTurnWanted() {
        int number = begun.incrementAndGet();
        return number <= turns || (belowShare.get() > 0 && number <= LIMIT * turns);
    }
}
