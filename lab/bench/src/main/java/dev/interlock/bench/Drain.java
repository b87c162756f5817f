package dev.interlock.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Threads begin to wait for a held lock, one after the other. Then the lock is released, and each thread acquires it
 * once.
 *
 * <p>Requests are counted from the first thread on, and the time from the release on.
 */
final class Drain implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 180;
    // A thread that waits for less than this may have been caught on its way.
    private static final int STILL_MILLIS = 30;
    // The mark of one who must be alone: more than all marks of others together.
    private static final int ALONE = 1_000;

    private final Wire wire;
    private final Peer holder;
    private final PeerLock held;
    private final List<Thread> waiting = new ArrayList<>();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /** Another client of this kind takes the lock. */
    Drain(PeerKind kind, Wire wire, String name, Flavour flavour) {
        this.wire = wire;
        holder = kind.open(wire.uriUncounted());
        held = holder.lock(name, flavour);
        held.lock();
        inside.addAndGet(ALONE);
        wire.requests().reset();
    }

    /** A thread comes to wait; returns when it does. */
    void arrive(PeerLock lock, boolean alone) {
        Thread thread = new Thread(() -> use(lock, alone), "waiter-" + waiting.size());
        thread.setDaemon(true);
        waiting.add(thread);
        thread.start();
        awaitStill(List.of(thread));
    }

    /** Threads come to wait together; returns when all of them do. */
    void arrive(List<PeerLock> locks) {
        int from = waiting.size();
        for (PeerLock lock : locks) {
            Thread thread = new Thread(() -> use(lock, true), "waiter-" + waiting.size());
            thread.setDaemon(true);
            waiting.add(thread);
            thread.start();
        }
        awaitStill(waiting.subList(from, waiting.size()));
    }

    /**
     * Releases the lock, by the thread that made this, and waits until all have had it.
     *
     * @return how long that took, in seconds
     * @throws IllegalStateException if two were inside that exclude each other, or somebody still waits after minutes
     */
    double run() {
        long startNanos = System.nanoTime();
        inside.addAndGet(-ALONE);
        held.unlock();
        for (Thread thread : waiting) {
            join(thread, startNanos);
        }
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("A waiter failed", failed);
        }
        return seconds;
    }

    @Override
    public void close() {
        holder.close();
    }

    private void use(PeerLock lock, boolean alone) {
        try {
            lock.lock();
            int mark = alone ? ALONE : 1;
            int others = inside.getAndAdd(mark);
            if (others >= ALONE || (alone && others > 0)) {
                throw new IllegalStateException("Exclusion broken: marks inside=" + others);
            }
            inside.addAndGet(-mark);
            lock.unlock();
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    private static void join(Thread thread, long startNanos) {
        try {
            thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while others lock", e);
        }
        if (thread.isAlive()) {
            throw new IllegalStateException(thread.getName() + " still waits after "
                    + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos) + " s");
        }
    }

    /** Until all of them wait, and no request has come for a while. */
    private void awaitStill(List<Thread> threads) {
        long requests = -1;
        while (requests != wire.requests().total() || !threads.stream().allMatch(Drain::waits)) {
            requests = wire.requests().total();
            Pause.of(wire.roundTrip().plusMillis(STILL_MILLIS));
        }
    }

    private static boolean waits(Thread thread) {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING -> true;
            case TERMINATED -> throw new IllegalStateException(thread.getName() + " did not wait");
            default -> false;
        };
    }
}
