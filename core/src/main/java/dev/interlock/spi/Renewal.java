package dev.interlock.spi;

import dev.interlock.LossCause;

/** What became of a claim that was to be renewed. */
public enum Renewal {
    /** It stands, and its lease has been set anew. */
    HELD,
    /** It is gone, and somebody else's stands in its place. */
    TAKEN,
    /** It is gone, and nothing stands in its place: deleted, evicted, or expired in the store. */
    DELETED,
    /** It is gone because somebody released it by force. */
    FORCED,
    /** It is gone with the session that it was bound to. */
    SESSION_LOST;

    /** Why leases on it have ended, unless it is held. */
    public LossCause cause() {
        return switch (this) {
            case TAKEN -> LossCause.TAKEN;
            case FORCED -> LossCause.FORCED;
            case SESSION_LOST -> LossCause.SESSION_LOST;
            case DELETED, HELD -> LossCause.DELETED;
        };
    }
}
