package dev.interlock.spi;

/**
 * What a claim wants of its name.
 *
 * <p>A claim is granted if it fits beside those who hold the name. One that is {@link #inOrder} must fit beside those
 * as well who wait and came before it: nobody overtakes anybody, unless both can hold at once.
 */
public sealed interface Mode {

    /** The whole of the name, for whoever asks first when it is free. */
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

    /** Whether a granted claim stands in the store until it is released; if not, it is over at once. */
    default boolean holds() {
        return this instanceof Exclusive || this instanceof Shared || this instanceof Permits;
    }

    /**
     * The whole of the name.
     *
     * @param inOrder whether those who wait and came before go first; always so for a read/write lock
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
     * @param capacity how many the semaphore has, 1 or more, if the store does not know of it yet
     */
    record Permits(int count, int capacity) implements Mode {
        @Override
        public String toString() {
            return count == 1 ? "1 permit" : count + " permits";
        }
    }

    /**
     * Sets the capacity of a semaphore. Granted at once, and then over: nothing is held. The lease is for how long the
     * store remembers it without a use.
     *
     * @param capacity the new capacity, 1 or more; those who hold keep what they have
     */
    record Resize(int capacity) implements Mode {}

    /**
     * Sets the count of a latch. Granted at once if it was zero, and then over; busy if not. The lease is for how long
     * the store remembers the latch without a use, here and in {@link CountDown} and {@link AwaitZero}.
     *
     * @param count the new count, 1 or more
     */
    record SetCount(int count) implements Mode {}

    /** Takes one off the count of a latch, unless it is zero. Granted at once, and then over. */
    record CountDown() implements Mode {}

    /**
     * Asks all who hold a lock or a read/write lock to let go, and ends nothing. Granted at once if anybody holds, and
     * then over; busy if nobody does. The clients of those who hold are told by {@link Wake#asked}: at once, or with
     * the answer to their next renewal; a store need not listen to a claim before it was renewed. A claim that was told
     * need not be told again.
     */
    record Ask() implements Mode {}

    /** Waits until the count of a latch is zero. Granted then, and over: nothing is held. */
    record AwaitZero() implements Mode {
        @Override
        public String toString() {
            return "zero";
        }
    }
}
