package dev.interlock.memory;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.util.List;

/**
 * What the store knows of one name. Time is an argument, in nanoseconds of the store's clock; the caller calls
 * {@link #expire} first. Guarded by the caller.
 */
interface NameEntry {

    /** An entry of which nothing is known yet. */
    static NameEntry of(LockId id) {
        return id.kind() == LockKind.LATCH ? new LatchEntry(id) : new HeldEntry(id);
    }

    LockId id();

    /** Grants the claim, with {@code nextFence} unless it has one; or lists it, if it waits. */
    Attempt acquire(Claim claim, long nextFence, long now);

    /** Lists the claim behind all that wait, although the name may be free: it is the turn of those that are woken. */
    Attempt lineUp(Claim claim, long now);

    /** Ends the claim, held or listed; whether it was held. */
    boolean end(OwnerId owner, boolean byForce, long now);

    /**
     * The waiting claims that could be granted now, longest waiting first. One that is not in order leaves the list,
     * and lists itself again if it comes too late.
     */
    List<OwnerId> toWake();

    Renewal renew(Claim claim, long now);

    LockStatus status(long now);

    /** Forgets what is over. */
    void expire(long now);

    boolean isEmpty();
}
