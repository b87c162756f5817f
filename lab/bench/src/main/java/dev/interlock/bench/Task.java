package dev.interlock.bench;

import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The work of one thread of a worker in one run. */
final class Task {

    /** How long a timed try waits. */
    static final Duration TRY = Duration.ofMillis(100);

    private static final int PAIRS_FOR_A_WRITE = 10;
    private static final Duration WAVE = TRY.multipliedBy(2);
    private static final long BARRIER_SECONDS = 60;

    /**
     * A hold that is handed over: long enough for another to wait by then, and of any length within the rhythm of one
     * that polls.
     */
    private static final long LEAST_HOLD_MILLIS = 20;

    private static final long MOST_HOLD_MILLIS = 120;
    private static final Duration TURN = Duration.ofNanos(200_000);

    private final Work work;
    private final PeerLock lock;
    private final PeerLock share;
    private final Guard guard;
    private final CyclicBarrier together;
    private final int name;
    private final long worker;
    private final long owner;
    private final Histogram waits = new Histogram();
    private long counted;
    private long entered;
    private long passedOn;

    Task(Work work, int thread, PeerLock lock, PeerLock share, Guard guard, CyclicBarrier together) {
        this.work = work;
        this.lock = lock;
        this.share = share;
        this.guard = guard;
        this.together = together;
        name = thread % work.names();
        worker = work.number();
        owner = worker * work.threads() + thread;
    }

    Outcome run(Duration time) {
        meet();
        long endNanos = System.nanoTime() + time.toNanos();
        switch (work.kind()) {
            case PAIRS, MULTI -> pairs(endNanos);
            case FAIR -> inOrder(endNanos);
            case READ_WRITE -> readsAndWrites(endNanos);
            case HAND_OVER -> handOvers(endNanos);
            case PERMITS -> permits(endNanos);
            case REENTRY -> reentries(endNanos);
            case TIMED_TRY -> waves(Math.max(1, time.dividedBy(WAVE)));
        }
        return new Outcome(counted, waits.total(), entered, passedOn, 0, waits);
    }

    private void pairs(long endNanos) {
        for (long now = System.nanoTime(); now - endNanos < 0; now = System.nanoTime()) {
            locked(lock, now, endNanos);
            enter();
            guard.leave(name, owner);
            lock.unlock();
        }
    }

    private void inOrder(long endNanos) {
        for (long now = System.nanoTime(); now - endNanos < 0; now = System.nanoTime()) {
            guard.asks(owner, now);
            locked(lock, now, endNanos);
            guard.entersInOrder(owner, now);
            enter();
            guard.leave(name, owner);
            lock.unlock();
        }
    }

    private void readsAndWrites(long endNanos) {
        long number = owner;
        for (long now = System.nanoTime(); now - endNanos < 0; now = System.nanoTime()) {
            if (number++ % PAIRS_FOR_A_WRITE == 0) {
                locked(lock, now, endNanos);
                enter();
                guard.leave(name, owner);
                lock.unlock();
            } else {
                locked(share, now, endNanos);
                entered++;
                guard.enterShared(name);
                guard.leaveShared(name);
                share.unlock();
            }
        }
    }

    /** What counts is the time from the beginning of a release to the end of the wait of one who came before it. */
    private void handOvers(long endNanos) {
        for (long now = System.nanoTime(); now - endNanos < 0; now = System.nanoTime()) {
            lock.lock();
            long gotNanos = System.nanoTime();
            long releasedNanos = guard.releasedNanos(name);
            if (releasedNanos - now > 0) {
                waits.record(gotNanos - releasedNanos);
                counted++;
            }
            enter();
            Pause.of(Duration.ofMillis(ThreadLocalRandom.current().nextLong(LEAST_HOLD_MILLIS, MOST_HOLD_MILLIS)));
            guard.leave(name, owner);
            long turns = guard.count();
            guard.releases(name, System.nanoTime());
            lock.unlock();
            while (guard.count() == turns && System.nanoTime() - endNanos < 0) {
                Pause.of(TURN);
            }
        }
    }

    private void permits(long endNanos) {
        for (long now = System.nanoTime(); now - endNanos < 0; now = System.nanoTime()) {
            locked(lock, now, endNanos);
            entered++;
            guard.enterWith(name, Flavour.PERMITS);
            guard.leaveShared(name);
            lock.unlock();
        }
    }

    private void locked(PeerLock wanted, long askedNanos, long endNanos) {
        wanted.lock();
        long now = System.nanoTime();
        waits.record(now - askedNanos);
        if (now - endNanos < 0) {
            counted++;
        }
    }

    private void reentries(long endNanos) {
        enter();
        long now = System.nanoTime();
        while (now - endNanos < 0) {
            lock.lock();
            lock.unlock();
            long done = System.nanoTime();
            waits.record(done - now);
            now = done;
            counted++;
        }
        guard.leave(name, owner);
    }

    private void waves(long number) {
        for (long i = 0; i < number; i++) {
            meet();
            long asked = System.nanoTime();
            if (tried()) {
                throw new IllegalStateException(
                        work.peer().title() + " granted " + work.name(name) + " although another client holds it");
            }
            waits.record(System.nanoTime() - asked);
            counted++;
        }
    }

    private void enter() {
        entered++;
        if (guard.enter(name, owner, worker)) {
            passedOn++;
        }
    }

    private boolean tried() {
        try {
            return lock.tryLock(TRY);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while trying", e);
        }
    }

    private void meet() {
        try {
            together.await(BARRIER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException("another thread of this run has failed", e);
        }
    }
}
