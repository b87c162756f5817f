package dev.interlock.spi;

import dev.interlock.LossCause;

/** The outcome of a renewal of one claim. */
public enum Renewal {
    /** The claim is held, and its lease counts from now. */
    HELD(LossCause.DELETED),
    /** The claim is gone, and another one holds the name. */
    TAKEN(LossCause.TAKEN),
    /** The claim is gone, and the name is free: it was deleted or evicted, or has expired in the store. */
    DELETED(LossCause.DELETED),
    /** The claim was released by force. */
    FORCED(LossCause.FORCED),
    /** The claim is gone with the session that it depended on. */
    SESSION_LOST(LossCause.SESSION_LOST);

    private final LossCause cause;

    Renewal(LossCause cause) {
        this.cause = cause;
    }

    /** The cause of the loss of its leases, unless it is held. */
    public LossCause cause() {
        return cause;
    }
}
