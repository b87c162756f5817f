package dev.interlock.jdbc;

import dev.interlock.jdbc.connection.WaitLimits;

/**
 * Whether an operation may wait for rows that others have locked. After a wait in vain it may not for a while:
 * otherwise one row that a stranger keeps locked would occupy the worker, and no other operation would run. Outlives a
 * {@link Session}, because a wait may cost the connection. For the thread that has the session lock.
 */
final class RowLockWaits {

    private static final long PAUSE_NANOS = WaitLimits.LOCK_WAIT.toNanos();

    private boolean inVain;

    /** When the last wait in vain ended. */
    private long endedNanos;

    boolean areAllowed() {
        return !inVain || System.nanoTime() - endedNanos >= PAUSE_NANOS;
    }

    void timedOut() {
        inVain = true;
        endedNanos = System.nanoTime();
    }
}
