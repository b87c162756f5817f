package dev.interlock;

import java.time.Duration;

/**
 * A count in the store for which processes wait until it is zero, as a {@link java.util.concurrent.CountDownLatch}. A
 * name that nobody has set, or that has not been used for a day, is at zero; a latch at zero can be set again.
 *
 * <p>A request that is repeated after a lost answer counts once, unless the latch has been set anew in between: then it
 * counts for that, too.
 *
 * <p>Thread-safe; cheap to create and to keep, nothing to close. A store that has no latches answers with
 * {@link UnsupportedOperationException}.
 */
public interface DistributedLatch {

    /** The latch's name. */
    String name();

    /**
     * Sets the count if it is zero.
     *
     * @param count 1 or more
     * @return false if it was not zero, and is unchanged
     * @throws IllegalArgumentException if the count is less than 1
     * @throws StoreUnavailableException if the store has not answered for the client's {@code storeTimeout}, or once if
     *     the thread is interrupted; it may have been set
     */
    boolean trySetCount(int count);

    /**
     * Takes one off the count; does nothing at zero.
     *
     * @throws StoreUnavailableException if the store has not answered for the client's {@code storeTimeout}, or once if
     *     the thread is interrupted; it may have been counted
     */
    void countDown();

    /**
     * What is left to count. Asks the store.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     */
    int getCount();

    /**
     * Waits until the count is zero.
     *
     * @throws StoreUnavailableException if the store has not answered for the client's {@code storeTimeout}
     */
    void await() throws InterruptedException;

    /** Waits until the count is zero, at most this long; whether it is. Throws as {@link #await()}. */
    boolean await(Duration wait) throws InterruptedException;

    /** The count, and who waits. Asks the store, and throws as {@link #getCount()}. */
    LockStatus inspect();
}
