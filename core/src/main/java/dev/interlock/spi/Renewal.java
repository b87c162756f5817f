package dev.interlock.spi;

import dev.interlock.LossCause;
import org.jspecify.annotations.Nullable;

/** The outcome of a renewal of one claim. */
public enum Renewal {
    /** The claim is held, and its lease counts from now. */
    HELD(null),
    /** The claim is gone, and another one holds the name. */
    TAKEN(LossCause.TAKEN),
    /** The claim is gone, and the name is free: it was deleted or evicted, or has expired in the store. */
    DELETED(LossCause.DELETED),
    /** The claim was released by force. */
    FORCED(LossCause.FORCED),
    /** The claim is gone with the session that it depended on. */
    SESSION_LOST(LossCause.SESSION_LOST);

    private final @Nullable LossCause cause;

    Renewal(@Nullable LossCause cause) {
        this.cause = cause;
    }

    /**
     * The cause of the loss of its leases.
     *
     * @throws IllegalStateException if the claim is held
     */
    public LossCause cause() {
        if (cause == null) {
            throw new IllegalStateException("Nothing is lost: renewal=" + this);
        }
        return cause;
    }
}
