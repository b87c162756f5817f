package dev.interlock.testkit;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Two threads that do something to the same state at the same moment, round after round, for a while: a race as
 * jcstress runs those of the engine, for a module that it is too large for.
 *
 * @param <S> the state of a round
 */
public final class Race<S> {

    /** How often a thread looks for the other one before it lets others run, which may be what the other one needs. */
    private static final int LOOKS = 1_000;

    private final Consumer<S> other;
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean over;

    /** Written before the threads meet, and read after that. */
    private @Nullable S state;

    private Race(Consumer<S> other) {
        this.other = other;
    }

    /** A pause doubles so often, from a nanosecond on, to 16 µs. */
    private static final int DOUBLINGS = 15;

    /** How long they go on. */
    private static final long MILLIS = Effort.pick(500, 30_000);

    /**
     * Runs rounds, each on a new state: one at least, and as many as the time allows. Throws what anybody throws.
     *
     * @param states makes the state of a round, on this thread
     * @param one what this thread does to it
     * @param other what another thread does at that moment
     * @param judge looks at the state when both have ended, on this thread
     */
    public static <S> void run(Supplier<S> states, Consumer<S> one, Consumer<S> other, Consumer<S> judge) {
        Race<S> race = new Race<>(other);
        Thread thread = new Thread(race::follow, "race");
        thread.setDaemon(true);
        thread.start();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS);
        try {
            int meetings = 0;
            do {
                S state = states.get();
                race.state = state;
                race.meet(++meetings);
                pause();
                one.accept(state);
                race.meet(++meetings);
                Throwable thrown = race.failure.get();
                if (thrown != null) {
                    throw new AssertionError("The other thread threw", thrown);
                }
                judge.accept(state);
            } while (System.nanoTime() - end < 0);
        } finally {
            race.over = true;
        }
    }

    private void follow() {
        int meetings = 0;
        while (!over) {
            meet(++meetings);
            S now = state;
            try {
                if (now != null && !over) {
                    pause();
                    other.accept(now);
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
            meet(++meetings);
        }
    }

    /** Nanoseconds to microseconds: either thread may be the first, and where the other one is then differs. */
    private static void pause() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long untilNanos = System.nanoTime() + random.nextLong(1L << random.nextInt(DOUBLINGS));
        while (System.nanoTime() - untilNanos < 0) {
            Thread.onSpinWait();
        }
    }

    /** Waits for the other thread, unless the race is over. */
    private void meet(int meetings) {
        arrived.incrementAndGet();
        for (int looks = 0; arrived.get() < 2 * meetings && !over; looks++) {
            if (looks % LOOKS == LOOKS - 1) {
                LockSupport.parkNanos(1);
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
