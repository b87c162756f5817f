package dev.interlock.interop;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;

/**
 * Where competitors wait for each other, each when it has been inside once: or those that are connected might use up
 * all turns before the last one is.
 */
final class StartLine {

    private final CountDownLatch missing;

    StartLine(int competitors) {
        missing = new CountDownLatch(competitors);
    }

    /** What a competitor does to be inside once. */
    interface Turn {
        void take() throws Exception;
    }

    /** Locks and unlocks, and returns when all have. */
    void cross(Lock lock) {
        cross(() -> {
            lock.lock();
            lock.unlock();
        });
    }

    /** Takes this turn, and returns when all have taken theirs. */
    void cross(Turn turn) {
        try {
            turn.take();
        } catch (Exception e) {
            throw new AssertionError("Not inside once before the start", e);
        } finally {
            // Also of one that fails: the others would wait for it for ever.
            missing.countDown();
        }
        try {
            missing.await();
        } catch (InterruptedException e) {
            throw new AssertionError("Given up before all had come to the start", e);
        }
    }
}
