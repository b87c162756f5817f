package dev.interlock.jdbc;

/**
 * Whether rows that others keep locked may be waited for. Not for a while after a wait in vain, or a row that a
 * stranger keeps would have the worker to itself: other verbs get their turn meanwhile. Outlives a {@link Session}, as
 * a wait may cost the connection. For whoever has the turn of the {@link Worker}.
 */
final class RowWaits {

    private static final long PAUSE_NANOS = ServerDialect.PATIENCE.toNanos();

    private boolean inVain;

    /** When the last wait in vain has ended. */
    private long endedNanos;

    boolean areAllowed() {
        return !inVain || System.nanoTime() - endedNanos >= PAUSE_NANOS;
    }

    void endedInVain() {
        inVain = true;
        endedNanos = System.nanoTime();
    }
}
