package dev.interlock.jdbc.session;

import dev.interlock.jdbc.connection.WaitLimits;

/**
 * Whether rows that others keep locked may be waited for. Not for a while after a wait in vain, or a row that a
 * stranger keeps would have the worker to itself: other verbs get their turn meanwhile. Outlives a {@link Session}, as
 * a wait may cost the connection. For whoever has the turn of the {@link Worker}.
 */
public final class RowLockWaits {

    private static final long PAUSE_NANOS = WaitLimits.LOCK_WAIT.toNanos();

    private boolean inVain;

    /** When the last wait in vain has ended. */
    private long endedNanos;

    public boolean areAllowed() {
        return !inVain || System.nanoTime() - endedNanos >= PAUSE_NANOS;
    }

    public void endedInVain() {
        inVain = true;
        endedNanos = System.nanoTime();
    }
}
