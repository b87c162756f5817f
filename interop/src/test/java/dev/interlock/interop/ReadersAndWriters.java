package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * Clients that read and write under one read/write lock: a writer must be alone, readers may meet (I2). For single use.
 */
final class ReadersAndWriters {

    private static final int WRITES_IN_TEN = 3;
    private static final long STAY_NANOS = 200_000;

    private final int uses;
    private final boolean downgrades;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger readers = new AtomicInteger();
    private final AtomicInteger writers = new AtomicInteger();
    private final AtomicInteger sharing = new AtomicInteger();

    /**
     * @param uses how often they lock, all together
     * @param downgrades whether every other writer goes on as a reader
     */
    ReadersAndWriters(int uses, boolean downgrades) {
        this.uses = uses;
        this.downgrades = downgrades;
    }

    /**
     * Lets each of these use the lock on a thread of its own; fails if a writer was not alone.
     *
     * @return how often each of them got it
     */
    List<Integer> run(List<ReadWriteLock> locks) {
        StartLine start = new StartLine(locks.size());
        ExecutorService threads = Executors.newFixedThreadPool(locks.size());
        try {
            List<CompletableFuture<Integer>> runs = locks.stream()
                    .map(lock -> CompletableFuture.supplyAsync(() -> use(lock, start), threads))
                    .toList();
            return runs.stream()
                    .map(run -> run.orTimeout(10, TimeUnit.MINUTES).join())
                    .toList();
        } finally {
            threads.shutdownNow();
        }
    }

    /** How often a reader met another. */
    int sharing() {
        return sharing.get();
    }

    private int use(ReadWriteLock lock, StartLine start) {
        start.cross(lock.writeLock());
        Random random = new Random();
        int own = 0;
        while (begun.incrementAndGet() <= uses) {
            if (random.nextInt(10) >= WRITES_IN_TEN) {
                read(lock.readLock());
            } else if (downgrades && random.nextBoolean()) {
                writeAndRead(lock);
            } else {
                write(lock.writeLock());
            }
            own++;
        }
        return own;
    }

    private void read(Lock side) {
        side.lock();
        try {
            readInside();
        } finally {
            side.unlock();
        }
    }

    private void write(Lock side) {
        side.lock();
        try {
            writeInside();
        } finally {
            side.unlock();
        }
    }

    private void writeAndRead(ReadWriteLock lock) {
        lock.writeLock().lock();
        try {
            writeInside();
            lock.readLock().lock();
        } finally {
            lock.writeLock().unlock();
        }
        try {
            readInside();
        } finally {
            lock.readLock().unlock();
        }
    }

    private void readInside() {
        int inside = readers.incrementAndGet();
        try {
            assertThat(writers.get()).as("writers beside a reader").isZero();
            if (inside > 1) {
                sharing.incrementAndGet();
            }
            // Long enough for another one to come in, if it may.
            LockSupport.parkNanos(STAY_NANOS);
        } finally {
            readers.decrementAndGet();
        }
    }

    private void writeInside() {
        int inside = writers.incrementAndGet();
        try {
            assertThat(readers.get() + inside - 1).as("others beside a writer").isZero();
        } finally {
            writers.decrementAndGet();
        }
    }
}
