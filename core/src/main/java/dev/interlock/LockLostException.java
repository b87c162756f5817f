package dev.interlock;

import dev.interlock.spi.Printable;
import java.time.Duration;

/**
 * Thrown when the lease that the caller relies on has ended before it was released. It is a subtype of the exception
 * that {@code Lock.unlock()} throws to a thread that is not the owner, so code that handles that one handles this one.
 */
public class LockLostException extends IllegalMonitorStateException {

    private static final long serialVersionUID = 1L;

    private final String name;
    private final String owner;
    private final long token;
    private final LossCause lossCause;
    private final Duration heldFor;
    private final Duration sinceRenewal;
    private final Duration late;

    /**
     * Describes the loss.
     *
     * @param name the name of the lock
     * @param owner the owner id of the lost claim
     * @param token the lost lease's fencing token
     * @param lossCause why the lease was lost
     * @param heldFor the time from the acquisition to now
     * @param sinceRenewal the time from the last successful renewal, or the acquisition, to now
     * @param late the time from the end of the lease to now
     */
    public LockLostException(
            String name,
            String owner,
            long token,
            LossCause lossCause,
            Duration heldFor,
            Duration sinceRenewal,
            Duration late) {
        super("The lease of lock '" + Printable.of(name) + "' was lost (" + lossCause + ") " + late.toMillis()
                + " ms ago: owner=" + Printable.of(owner)
                + " token=" + token + " acquired " + heldFor.toMillis() + " ms ago, last renewed "
                + sinceRenewal.toMillis()
                + " ms ago; somebody else may hold it, so treat work done since as suspect");
        this.name = name;
        this.owner = owner;
        this.token = token;
        this.lossCause = lossCause;
        this.heldFor = heldFor;
        this.sinceRenewal = sinceRenewal;
        this.late = late;
    }

    /** {@return the name of the lock} */
    public String lockName() {
        return name;
    }

    /** {@return the owner id of the lost claim} */
    public String owner() {
        return owner;
    }

    /** {@return the lost lease's fencing token} */
    public long token() {
        return token;
    }

    /** {@return why the lease was lost} */
    public LossCause lossCause() {
        return lossCause;
    }

    /** {@return the time from the acquisition to this exception} */
    public Duration heldFor() {
        return heldFor;
    }

    /** {@return the time from the last successful renewal, or the acquisition, to this exception} */
    public Duration sinceRenewal() {
        return sinceRenewal;
    }

    /**
     * {@return the time from the end of the lease to this exception: for so long the caller worked without the lock.
     * The lease may have run out while the call was under way; if only the release has shown that somebody ended it,
     * the time counts from the call of the release}
     */
    public Duration late() {
        return late;
    }
}
