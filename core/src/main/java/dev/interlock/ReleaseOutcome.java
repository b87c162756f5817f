package dev.interlock;

import org.jspecify.annotations.Nullable;

/**
 * The result of a release. In every case the lease is over in this process, and the store does not keep it longer than
 * its lease.
 *
 * @param status what the release found
 * @param lossCause why the lease had ended before; null unless the status is {@link Status#LOST}
 */
@SuppressWarnings("exports")
public record ReleaseOutcome(Status status, @Nullable LossCause lossCause) {

    /** The lease was held until now and is released. */
    public static final ReleaseOutcome RELEASED = new ReleaseOutcome(Status.RELEASED, null);

    /** An earlier call had released the lease. */
    public static final ReleaseOutcome ALREADY_RELEASED = new ReleaseOutcome(Status.ALREADY_RELEASED, null);

    /**
     * The store has not answered. The client repeats the release in the background until the lease would have ended.
     */
    public static final ReleaseOutcome UNCONFIRMED = new ReleaseOutcome(Status.UNCONFIRMED, null);

    /**
     * {@return the outcome of a release of a lease that had ended before, for this cause}
     *
     * @param cause why the lease had ended
     */
    public static ReleaseOutcome lost(LossCause cause) {
        return new ReleaseOutcome(Status.LOST, cause);
    }

    /** The kinds of outcome. */
    public enum Status {
        /** The lease was held until now and is released. */
        RELEASED,
        /** An earlier call had released the lease. */
        ALREADY_RELEASED,
        /** The lease was lost before the release. */
        LOST,
        /** The lease has ended in this process; the store has not confirmed the release. */
        UNCONFIRMED
    }

    /** {@return whether the lease had been lost before the release} */
    public boolean isLost() {
        return status == Status.LOST;
    }

    @Override
    public String toString() {
        return lossCause == null ? status.toString() : status + "(" + lossCause + ")";
    }
}
