package dev.interlock;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A count in the store that processes wait for until it is zero, like a {@link java.util.concurrent.CountDownLatch}. A
 * name that nobody has set, or that nobody has used for a day, is at zero. A latch at zero can be set again.
 *
 * <p>If the store's answer is lost, the client repeats the request, and the store still counts it once. There is one
 * exception: if the latch has been set anew in between, the request counts for the new count, too.
 *
 * <p>Thread-safe. A latch is cheap to create and to keep, and needs no closing. If the store has no latches, the
 * methods throw {@link UnsupportedOperationException}.
 */
public interface DistributedLatch {

    /** {@return the latch's name} */
    String name();

    /**
     * Sets the count if it is zero.
     *
     * @param count the new count, 1 or more
     * @return true if the count is set; false if it was not zero, and is unchanged
     * @throws IllegalArgumentException if the count is less than 1
     * @throws StoreUnavailableException if the store has not answered for the client's {@code storeTimeout}, or has
     *     left one attempt unanswered and the thread is interrupted; the count may have been set
     */
    boolean trySetCount(int count);

    /**
     * Does the same as {@link #trySetCount} without blocking the caller: a thread of the callback executor waits for
     * the store.
     *
     * @param count the new count, 1 or more
     * @return a stage of what {@link #trySetCount} returns or throws
     */
    CompletionStage<Boolean> trySetCountAsync(int count);

    /**
     * Decrements the count. Does nothing if it is zero.
     *
     * @throws StoreUnavailableException if the store has not answered for the client's {@code storeTimeout}, or has
     *     left one attempt unanswered and the thread is interrupted; the count may have been decremented
     */
    void countDown();

    /**
     * Does the same as {@link #countDown()} without blocking the caller: a thread of the callback executor waits for
     * the store.
     *
     * @return a stage that completes when the count has been decremented; what {@link #countDown()} throws fails it
     */
    CompletionStage<Void> countDownAsync();

    /**
     * {@return the current count} Asks the store.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     */
    int count();

    /**
     * Waits until the count is zero.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws StoreUnavailableException if the store has not answered for the client's {@code storeTimeout}
     */
    void await() throws InterruptedException;

    /**
     * Waits until the count is zero, for at most {@code wait}.
     *
     * @param wait how long to wait
     * @return true if the count is zero; false if the store has last said that it is not
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws StoreUnavailableException if the store has not answered for the client's {@code storeTimeout}, or has
     *     left the last request unanswered when the wait is over
     */
    boolean await(Duration wait) throws InterruptedException;

    /**
     * Waits until the count is zero, without blocking. To give up, cancel {@code toCompletableFuture()}.
     *
     * @return a stage that completes on the callback executor when the count is zero; what {@link #await()} throws
     *     fails it
     */
    CompletionStage<Void> awaitAsync();

    /**
     * Waits until the count is zero, for at most {@code wait}, without blocking; see {@link #awaitAsync()}.
     *
     * @param wait how long to wait
     * @return a stage of whether the count is zero
     */
    CompletionStage<Boolean> awaitAsync(Duration wait);

    /**
     * {@return the count and who waits} Asks the store.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     */
    LockStatus inspect();
}
