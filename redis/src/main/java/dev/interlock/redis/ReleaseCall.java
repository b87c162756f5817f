package dev.interlock.redis;

import dev.interlock.spi.Claim;
import java.util.Arrays;

/** A release, by the owner or by force. */
final class ReleaseCall extends ScriptCall<Boolean> {

    private final Claim claim;
    private final Wakes wakes;

    private ReleaseCall(Link link, Claim claim, Wakes wakes, Script script, int keys, byte[]... words) {
        super(link, script, keys, words);
        this.claim = claim;
        this.wakes = wakes;
    }

    static ReleaseCall of(Link link, Claim claim, Settings settings, Wakes wakes) {
        Keys keys = new Keys(claim.id().name());
        byte[] owner = Text.of(claim.owner().value());
        if (claim.forced()) {
            byte[] life = Text.of(Settings.FORCED_LIFE.toMillis());
            byte[][] words = {keys.lock(), keys.waiters(), keys.forced(), owner, life};
            return new ReleaseCall(link, claim, wakes, Script.FORCE, 3, told(keys, settings, words));
        }
        byte[][] words = {keys.lock(), keys.waiters(), owner};
        return new ReleaseCall(link, claim, wakes, Script.RELEASE, 2, told(keys, settings, words));
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

    private static byte[][] told(Keys keys, Settings settings, byte[]... words) {
        if (!settings.redissonInterop()) {
            return words;
        }
        byte[][] longer = Arrays.copyOf(words, words.length + 1);
        longer[words.length] = keys.redissonChannel();
        return longer;
    }
}
