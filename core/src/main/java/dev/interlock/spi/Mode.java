package dev.interlock.spi;

/**
 * A claim's share of its name.
 *
 * <p>A claim is granted if it fits beside the holders. A claim that is {@link #inOrder} must also fit beside the
 * waiting claims that came before it: it does not overtake them, unless both can hold at once.
 */
public sealed interface Mode {

    /** The whole of the name, for the first claim that asks when it is free. */
    static Mode exclusive() {
        return new Exclusive(false);
    }

    /** The whole of the name, in the order of arrival at the store. */
    static Mode fair() {
        return new Exclusive(true);
    }

    /** A share of the name, with others. */
    static Mode shared() {
        return new Shared();
    }

    /** Whether the store grants it in the order of arrival. */
    default boolean inOrder() {
        return this instanceof Shared || this instanceof Permits || this instanceof AwaitZero;
    }

    /** Whether the store keeps a granted claim until it is released; otherwise the claim is over at once. */
    default boolean holds() {
        return this instanceof Exclusive || this instanceof Shared || this instanceof Permits;
    }

    /**
     * The whole of the name.
     *
     * @param inOrder whether the claims that came before go first; always true for a read/write lock
     */
    record Exclusive(boolean inOrder) implements Mode {
        @Override
        public String toString() {
            return inOrder ? "exclusive, in order" : "exclusive";
        }
    }

    /** A share of a read/write lock. */
    record Shared() implements Mode {
        @Override
        public String toString() {
            return "shared";
        }
    }

    /**
     * Some permits of a semaphore, all at once.
     *
     * @param count how many, 1 or more
     * @param capacity how many the semaphore has, 1 or more, unless the store knows its capacity already
     */
    record Permits(int count, int capacity) implements Mode {
        @Override
        public String toString() {
            return count == 1 ? "1 permit" : count + " permits";
        }
    }

    /**
     * Sets the capacity of a semaphore. It is granted at once, and holds nothing. The lease says how long the store
     * remembers the capacity without a use.
     *
     * @param capacity the new capacity, 1 or more; holders keep their permits
     */
    record Resize(int capacity) implements Mode {}

    /**
     * Changes the capacity of a semaphore by a number. It is granted at once, and holds nothing; it is busy if the
     * semaphore would have fewer permits than one, or more than an {@code int} holds. The store executes the request of
     * a claim once, however often it is repeated within a minute. The lease says how long the store remembers the
     * capacity without a use.
     *
     * @param more how many more permits; negative for fewer. Holders keep their permits
     * @param capacity how many the semaphore has, 1 or more, unless the store knows its capacity already
     */
    record AddPermits(int more, int capacity) implements Mode {}

    /**
     * Returns some of the permits that the claim of this owner holds. It is granted if that claim holds permits, with
     * the fence of that claim, and busy if not. It changes neither the lease of that claim nor what it waits for.
     *
     * @param count how many permits the claim keeps, 1 or more; as many as before if it holds no more than that
     */
    record KeepPermits(int count) implements Mode {}

    /**
     * Sets the count of a latch. It is granted if the count is zero, and holds nothing; otherwise it is busy. The lease
     * says how long the store remembers the latch without a use, here and in {@link CountDown} and {@link AwaitZero}.
     *
     * @param count the new count, 1 or more
     */
    record SetCount(int count) implements Mode {}

    /** Subtracts one from the count of a latch, unless it is zero. It is granted at once, and holds nothing. */
    record CountDown() implements Mode {}

    /**
     * Requests that all holders of a lock or a read/write lock let go, and ends nothing. It is granted at once if there
     * is a holder, and busy if not; it holds nothing. {@link Wake.Requested} notifies the clients of the holders: at
     * once, or with the answer to their next renewal. A store need not notify a claim that has not been renewed yet,
     * nor a claim that was notified before.
     */
    record Ask() implements Mode {}

    /** Waits until the count of a latch is zero. It is granted then, and holds nothing. */
    record AwaitZero() implements Mode {
        @Override
        public String toString() {
            return "zero";
        }
    }
}
