package dev.interlock.bench;

import java.time.Duration;

/** The lock of a peer. Not thread-safe: each thread has its own. */
interface PeerLock {

    /** Waits until held. */
    void lock();

    /** Waits at most {@code wait}; whether it is held. */
    boolean tryLock(Duration wait) throws InterruptedException;

    /** Undoes one acquisition of this thread. */
    void unlock();
}
