package dev.interlock.redis;

import dev.interlock.spi.Claim;

/** A release, by the owner or by force. */
final class ReleaseCall extends ScriptCall<Boolean> {

    private final Claim claim;
    private final Wakes wakes;

    ReleaseCall(Link link, Claim claim, Settings settings, Wakes wakes) {
        super(link, ReleaseWords.of(claim, settings));
        this.claim = claim;
        this.wakes = wakes;
    }

    @Override
    String subject() {
        return "name=" + claim.id().name();
    }

    @Override
    void answered(Reply answer) {
        if (answer.number() < 0) {
            wakes.publishRefused();
        }
        complete(answer.number() != 0);
    }
}
