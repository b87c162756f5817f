package dev.interlock.engine;

import dev.interlock.ReleaseOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The decision of an arbiter about a release.
 *
 * @param outcome the outcome, unless the store's reply makes it
 * @param toRelease the claim to release in the store, whose reply makes the outcome; else null
 * @param converting the claim that is being converted to shared, so that the release is done when the store has
 *     replied; else null
 */
record ReleaseDecision(ReleaseOutcome outcome, @Nullable ClaimLife toRelease, @Nullable ClaimLife converting) {

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
