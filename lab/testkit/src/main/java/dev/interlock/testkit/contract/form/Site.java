package dev.interlock.testkit.contract.form;

/**
 * What a call is about, as another client of the store sees it: a lock, or whatever else lets one in and others not.
 */
public interface Site {

    /** What keeps a caller waiting. */
    interface Obstacle extends AutoCloseable {

        /** Whether it is still there. */
        boolean holds();

        /** Lets the caller in. */
        @Override
        void close();

        /** Goes away when no caller waits any more. */
        default void vanish() {
            close();
        }
    }

    /** Makes a caller wait who comes after this. */
    Obstacle occupy() throws InterruptedException;

    /** Sees to it that a caller need not wait. Called before each call that finds nobody in its way. */
    default void open() {}

    /** Whether somebody is inside. */
    boolean isHeld();

    /** Whether a caller waits. */
    boolean isWaitedFor();

    /** Whether anybody holds what belongs to it under names that do not begin with its own. */
    default boolean isUsed() {
        return false;
    }

    /** Ends what the caller inside holds, as an operator does. */
    void takeAway();
}
