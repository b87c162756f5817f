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
record Handback(ReleaseOutcome outcome, @Nullable ClaimLife toRelease, @Nullable ClaimLife converting) {

    static Handback finished(ReleaseOutcome outcome) {
        return new Handback(outcome, null, null);
    }

    static Handback toStore(ClaimLife life) {
        return new Handback(ReleaseOutcome.UNCONFIRMED, life, null);
    }

    static Handback converting(ClaimLife life) {
        return new Handback(ReleaseOutcome.RELEASED, null, life);
    }
}
