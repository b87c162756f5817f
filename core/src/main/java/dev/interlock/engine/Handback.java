package dev.interlock.engine;

import dev.interlock.ReleaseOutcome;
import org.jspecify.annotations.Nullable;

/**
 * What a release came to inside the process.
 *
 * @param outcome the outcome, if the store has the last word on nothing
 * @param toRelease the claim to release in the store, whose answer makes the outcome; else null
 */
record Handback(ReleaseOutcome outcome, @Nullable ClaimLife toRelease) {

    static Handback finished(ReleaseOutcome outcome) {
        return new Handback(outcome, null);
    }

    static Handback toStore(ClaimLife life) {
        return new Handback(ReleaseOutcome.UNCONFIRMED, life);
    }
}
