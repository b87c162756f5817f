package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.Patience;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * Clients that read and write under one read/write lock: a writer must be alone, and readers all meet once before the
 * turns begin (I2). For single use.
 */
final class ReadersAndWriters {

    private static final int WRITES_IN_TEN = 3;
    private static final long STAY_NANOS = 200_000;

    private final List<ReadWriteLock> locks;
    private final boolean downgrades;
    private final CountDownLatch absentReaders;
    private final AtomicInteger readers = new AtomicInteger();
    private final AtomicInteger writers = new AtomicInteger();

    /**
     * @param locks the lock as each client has it
     * @param downgrades whether every other writer goes on as a reader
     */
    ReadersAndWriters(List<ReadWriteLock> locks, boolean downgrades) {
        this.locks = locks;
        this.downgrades = downgrades;
        this.absentReaders = new CountDownLatch(locks.size());
    }

    /** Lets each of the clients use the lock on a thread of its own; fails if a writer was not alone. */
    void take(Turns turns) {
        turns.take(locks.stream().map(User::new).toList());
    }

    private final class User implements Turns.User {
        private final ReadWriteLock lock;
        private final Random random = new Random();

        User(ReadWriteLock lock) {
            this.lock = lock;
        }

        /** Reads until all the others do. */
        @Override
        public void enter() throws InterruptedException {
            lock.readLock().lock();
            try {
                absentReaders.countDown();
                assertThat(absentReaders.await(Patience.seconds(), TimeUnit.SECONDS))
                        .as("all readers inside together")
                        .isTrue();
            } finally {
                lock.readLock().unlock();
            }
        }

        @Override
        public void turn() {
            if (random.nextInt(10) >= WRITES_IN_TEN) {
                read(lock.readLock());
            } else if (downgrades && random.nextBoolean()) {
                writeAndRead(lock);
            } else {
                write(lock.writeLock());
            }
        }
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
        readers.incrementAndGet();
        try {
            assertThat(writers.get()).as("writers beside a reader").isZero();
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
