package dev.interlock.spi;

import dev.interlock.LossCause;

/** What became of a claim that was to be renewed. */
public enum Renewal {
    /** It stands, and its lease has been set anew. */
    HELD(LossCause.DELETED),
    /** It is gone, and somebody else's stands in its place. */
    TAKEN(LossCause.TAKEN),
    /** It is gone, and nothing stands in its place: deleted, evicted, or expired in the store. */
    DELETED(LossCause.DELETED),
    /** It is gone because somebody released it by force. */
    FORCED(LossCause.FORCED),
    /** It is gone with the session that it was bound to. */
    SESSION_LOST(LossCause.SESSION_LOST);

    private final LossCause cause;

    Renewal(LossCause cause) {
        this.cause = cause;
    }

    /** Why leases on it have ended, unless it is held. */
    public LossCause cause() {
        return cause;
    }
}
