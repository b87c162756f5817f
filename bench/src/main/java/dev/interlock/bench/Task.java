package dev.interlock.bench;

import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What one thread of a worker does in one run. */
final class Task {

    /** How long a timed try waits. */
    static final Duration TRY = Duration.ofMillis(100);

    private static final int PAIRS_FOR_A_WRITE = 10;
    private static final Duration WAVE = TRY.multipliedBy(2);
    private static final long BARRIER_SECONDS = 60;

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
