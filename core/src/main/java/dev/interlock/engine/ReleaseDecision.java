package dev.interlock.engine;

import dev.interlock.ReleaseOutcome;
import org.jspecify.annotations.Nullable;

/**
 * What a release came to inside the process.
 *
 * @param outcome the outcome, if the store has the last word on nothing
 * @param toRelease the claim to release in the store, whose answer makes the outcome; else null
 * @param converting the claim of which others share from now on, as the store has been asked; else null
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
