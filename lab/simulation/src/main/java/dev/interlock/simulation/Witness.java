package dev.interlock.simulation;

import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;

/** Sees what becomes of the claims in a server. */
interface Witness {

    /** The server grants a claim. */
    void grants(LockId id, OwnerId owner, long fence);

    /** It keeps a claim until a moment of the true time. */
    void keeps(LockId id, OwnerId owner, long fence, long untilNanos);

    /** A claim is gone. */
    void ends(LockId id, OwnerId owner, long fence);

    /** Nobody holds the name any more. */
    void isFree(LockId id);
}
