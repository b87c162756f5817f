package dev.interlock.evidence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One outage, and what five clients see of it, each on its own connection:
 *
 * <ul>
 *   <li>the <b>keeper</b> holds a lock through it, and asks every 5 ms whether it still does; the <b>challenger</b>
 *       tries to get that lock all the time;
 *   <li>the <b>looper</b> acquires and releases a lock of its own again and again;
 *   <li>the <b>giver</b> releases its lock in the middle of the outage, and the <b>taker</b> waits for it.
 * </ul>
 *
 * <p>Times count from the return of the store. A hold that writes after a later hold of its name has written is an
 * overlap: the {@link Cell} knows no library.
 */
final class OutageTrial {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration WAIT = Duration.ofMinutes(2);
    private static final Duration CHALLENGE = Duration.ofMillis(200);
    private static final long STEP_MILLIS = 5;
    private static final long SETTLE_MILLIS = 1_000;
    private static final long AFTER_MILLIS = 2_000;

    private final Opening opening;
    private final Site site;
    private final String name;
    private final CountDownLatch holding = new CountDownLatch(3);
    private final CountDownLatch giving = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final Cell kept = new Cell();
    private final Cell given = new Cell();

    /** The time of the looper's last grant; written by its thread only. */
    private volatile long granted = System.nanoTime();

    /** The time of the taker's grant; 0 if it has none. */
    private volatile long taken;

    /** Why the keeper stopped; empty if it did not. */
    private volatile String loss = "";

    private OutageTrial(Opening opening, Site site, String name) {
        this.opening = opening;
        this.site = site;
        this.name = name;
    }

    /**
     * What an outage did.
     *
     * @param next seconds from the return of the store to the looper's next grant; NaN if it got none in a minute
     * @param given the same for the lock that was released during the outage
     * @param loss why the holder lost its lock; empty if it kept it
     * @param overlaps writes after those of a later holder
     */
    record Outcome(double next, double given, String loss, long overlaps) {}

    /** A protected resource that believes everybody, and counts late writes. */
    private static final class Cell {
        private final AtomicLong holds = new AtomicLong();
        private final AtomicLong largest = new AtomicLong();
        private final AtomicLong overlaps = new AtomicLong();

        long enter() {
            long hold = holds.incrementAndGet();
            write(hold);
            return hold;
        }

        void write(long hold) {
            if (largest.accumulateAndGet(hold, Math::max) > hold) {
                overlaps.incrementAndGet();
            }
        }
    }

    /** Makes a client. */
    interface Opening {
        Rival open(String uri, String name);
    }

    static Outcome run(Opening opening, Site site, OutageFault fault) throws Exception {
        return new OutageTrial(opening, site, "outage-" + fault.id()).strike(fault);
    }

    private Outcome strike(OutageFault fault) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> roles = new ArrayList<>();
        try {
            roles.add(threads.submit(client("kept", 0, this::keep)));
            roles.add(threads.submit(client("looped", 1, this::loop)));
            roles.add(threads.submit(client("given", 2, this::give)));
            if (!holding.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("Not every lock was acquired before the outage");
            }
            roles.add(threads.submit(client("kept", 1, this::challenge)));
            roles.add(threads.submit(client("given", 0, this::take)));
            Thread.sleep(SETTLE_MILLIS);
            return outage(fault);
        } finally {
            over.countDown();
            giving.countDown();
            for (Future<?> role : roles) {
                role.get(WAIT.toSeconds() + LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
            threads.shutdownNow();
        }
    }

    private Outcome outage(OutageFault fault) throws InterruptedException {
        long half = fault.length().toMillis() / 2;
        fault.begin(site);
        Thread.sleep(half);
        giving.countDown();
        Thread.sleep(half);
        long ending = System.nanoTime();
        fault.end(site);
        // A server that was started serves, at the latest, when that has returned.
        long returned = fault == OutageFault.RESTART ? System.nanoTime() : ending;
        double next = secondsTo(returned, awaitLooper(ending, returned));
        while (taken == 0 && System.nanoTime() - returned < LIMIT.toNanos()) {
            Thread.sleep(1);
        }
        double handed = taken == 0 ? Double.NaN : secondsTo(returned, taken);
        Thread.sleep(AFTER_MILLIS);
        return new Outcome(next, handed, loss, kept.overlaps.get() + given.overlaps.get());
    }

    /** The time of the first grant since then; 0 if there is none. */
    private long awaitLooper(long ending, long returned) throws InterruptedException {
        while (System.nanoTime() - returned < LIMIT.toNanos()) {
            long last = granted;
            if (last - ending > 0) {
                return last;
            }
            Thread.sleep(1);
        }
        return 0;
    }

    private static double secondsTo(long returned, long grant) {
        return grant == 0 ? Double.NaN : Math.max(0, grant - returned) / 1e9;
    }

    private interface Role {
        void play(Rival client) throws Exception;
    }

    private Callable<@Nullable Void> client(String lock, int place, Role role) {
        return () -> {
            try (Rival client = opening.open(site.uri(place), name + '-' + lock)) {
                role.play(client);
            }
            return null;
        };
    }

    private void keep(Rival client) throws Exception {
        Rival.Held held = first(client);
        long hold = kept.enter();
        holding.countDown();
        try {
            while (!over.await(STEP_MILLIS, TimeUnit.MILLISECONDS)) {
                if (!held.isHeld()) {
                    loss = "lost";
                    return;
                }
                kept.write(hold);
            }
        } catch (Exception e) {
            loss = "lost: " + e.getClass().getSimpleName();
            return;
        }
        quietly(held::release);
    }

    private void challenge(Rival client) throws InterruptedException {
        while (!over.await(STEP_MILLIS, TimeUnit.MILLISECONDS)) {
            attempt(client, CHALLENGE, () -> kept.enter());
        }
    }

    private void loop(Rival client) throws InterruptedException {
        attempt(client, WAIT, holding::countDown);
        while (!over.await(STEP_MILLIS, TimeUnit.MILLISECONDS)) {
            attempt(client, WAIT, () -> granted = System.nanoTime());
        }
    }

    private void give(Rival client) throws Exception {
        Rival.Held held = first(client);
        long hold = given.enter();
        holding.countDown();
        giving.await();
        given.write(hold);
        quietly(held::release);
        over.await();
    }

    private void take(Rival client) throws InterruptedException {
        while (taken == 0 && over.getCount() > 0) {
            attempt(client, WAIT, () -> {
                taken = System.nanoTime();
                given.enter();
            });
        }
    }

    private static Rival.Held first(Rival client) throws Exception {
        Rival.Held held = client.acquire(LIMIT);
        if (held == null) {
            throw new IllegalStateException("A free lock was not acquired");
        }
        return held;
    }

    /** Acquires, acts and releases; what the library throws is what a program would answer by trying again. */
    private void attempt(Rival client, Duration wait, Runnable action) throws InterruptedException {
        try {
            Rival.Held held = client.acquire(wait);
            if (held != null) {
                action.run();
                held.release();
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            over.await(STEP_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private static void quietly(Step step) {
        try {
            step.run();
        } catch (Exception e) {
            // The library says that it does not know, or that the lock is lost: others see what came of it.
        }
    }
}
