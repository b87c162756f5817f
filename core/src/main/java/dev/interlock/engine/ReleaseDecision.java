package dev.interlock.engine;

import dev.interlock.ReleaseOutcome;
import org.jspecify.annotations.Nullable;

/** The decision of an arbiter about a release. */
final class ReleaseDecision {

    /** Nothing is done: shares are on the claim, too. */
    static final ReleaseDecision REFUSED = finished(ReleaseOutcome.UNCONFIRMED);

    /** The outcome, unless the store's reply makes it. */
    final ReleaseOutcome outcome;

    /** The claim to release in the store, whose reply makes the outcome; else null. */
    final @Nullable ClaimLife toRelease;

    /** The claim that is being converted to shared, so that the release is done when the store has replied; or null. */
    final @Nullable ClaimLife converting;

    private ReleaseDecision(ReleaseOutcome outcome, @Nullable ClaimLife toRelease, @Nullable ClaimLife converting) {
        this.outcome = outcome;
        this.toRelease = toRelease;
        this.converting = converting;
    }

    static ReleaseDecision finished(ReleaseOutcome outcome) {
        return new ReleaseDecision(outcome, null, null);
    }

    static ReleaseDecision toStore(ClaimLife life) {
        return new ReleaseDecision(ReleaseOutcome.UNCONFIRMED, life, null);
    }

    static ReleaseDecision converting(ClaimLife life) {
        return new ReleaseDecision(ReleaseOutcome.RELEASED, null, life);
    }
}
