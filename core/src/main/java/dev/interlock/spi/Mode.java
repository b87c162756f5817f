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
        return true;
    }

    /** Whether the store keeps a granted claim until it is released; otherwise the claim is over at once. */
    default boolean holds() {
        return !(this instanceof AwaitZero);
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
     * Waits until the count of a latch is zero. It is granted then, and holds nothing. The lease says how long the
     * store remembers the latch without a use.
     */
    record AwaitZero() implements Mode {
        @Override
        public String toString() {
            return "zero";
        }
    }
}
