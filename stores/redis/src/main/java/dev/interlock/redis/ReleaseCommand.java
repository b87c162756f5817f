package dev.interlock.redis;

import dev.interlock.redis.command.Reply;
import dev.interlock.spi.Claim;

/** A release, by the owner or by force. */
final class ReleaseCommand extends ScriptCommand<Boolean> {

    private final Claim claim;
    private final WakeReceiver wakes;

    ReleaseCommand(Router router, Claim claim, Settings settings, WakeReceiver wakes) {
        super(router, ReleaseArguments.of(claim, settings));
        this.claim = claim;
        this.wakes = wakes;
    }

    @Override
    String subject() {
        return "name=" + claim.id().printable();
    }

    @Override
    void onResult(Reply answer) {
        if (answer.number() < 0) {
            wakes.publishRefused();
        }
        complete(answer.number() != 0);
    }
}
