package dev.interlock;

import org.jspecify.annotations.Nullable;

/**
 * What a release found. Whatever it is: the lease is over in this process, and the store will not keep it longer than
 * its lease.
 *
 * @param status what the release found
 * @param lossCause why the lease had ended before; null unless the status is {@link Status#LOST}
 */
@SuppressWarnings("exports")
public record ReleaseOutcome(Status status, @Nullable LossCause lossCause) {

    /** The lease was held until now and is released. */
    public static final ReleaseOutcome RELEASED = new ReleaseOutcome(Status.RELEASED, null);

    /** An earlier call had released it. */
    public static final ReleaseOutcome ALREADY_RELEASED = new ReleaseOutcome(Status.ALREADY_RELEASED, null);

    /** The store has not answered: the release is repeated in the background until the lease would have ended. */
    public static final ReleaseOutcome UNCONFIRMED = new ReleaseOutcome(Status.UNCONFIRMED, null);

    /** The lease had ended before, for this cause. */
    public static ReleaseOutcome lost(LossCause cause) {
        return new ReleaseOutcome(Status.LOST, cause);
    }

    /** The kinds of outcome. */
    public enum Status {
        /** Held until now, released. */
        RELEASED,
        /** Released by an earlier call. */
        ALREADY_RELEASED,
        /** Lost before the release. */
        LOST,
        /** Ended here; the store has not confirmed it. */
        UNCONFIRMED
    }

    /** Whether the lease had been lost before the release. */
    public boolean isLost() {
        return status == Status.LOST;
    }

    @Override
    public String toString() {
        return lossCause == null ? status.toString() : status + "(" + lossCause + ")";
    }
}
