package dev.interlock.evidence;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A client of a library of locks, with one lock. One thread uses it. */
interface Rival extends AutoCloseable {

    /** The token of a library that has none. */
    long NO_TOKEN = Long.MIN_VALUE;

    /**
     * Acquires the lock.
     *
     * @return the hold; null if it was not acquired in this time
     * @throws Exception if the library threw it
     */
    @Nullable
    Held acquire(Duration wait) throws Exception;

    @Override
    void close();

    /** What was acquired. */
    interface Held {

        /** The fencing token, or {@link #NO_TOKEN}. */
        default long token() {
            return NO_TOKEN;
        }

        /**
         * Whether the library says, before the next step of the work, that the lock is still held. A library that has
         * nothing to say is taken at its first word.
         *
         * @throws Exception if the library threw it; a careful program then takes the lock for lost
         */
        default boolean isHeld() throws Exception {
            return true;
        }

        /**
         * Releases it.
         *
         * @throws Exception if the library says so that it was lost, or that it does not know
         */
        void release() throws Exception;
    }
}
