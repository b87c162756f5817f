package dev.interlock.quorum;

import dev.interlock.spi.Claim;
import dev.interlock.spi.OwnerId;
import java.util.Locale;

/**
 * The owners of claims in the stores: the number of the acquisition is followed by nine digits, the number of the
 * round.
 */
final class Owners {

    private static final int ROUNDS = 1_000_000_000;

    private Owners() {}

    /** The owner in the stores. */
    static OwnerId inRound(OwnerId owner, int round) {
        String text = owner.value();
        // The default locale may have digits of its own.
        String suffix = String.format(Locale.ROOT, "%09d", round % ROUNDS);
        return new OwnerId(text.substring(0, text.lastIndexOf(':') + 1) + number(owner) + suffix);
    }

    /** The owner of the acquisition, from the owner in a store; the same if no client of a quorum wrote it. */
    static OwnerId ofQuorum(OwnerId inStore) {
        String text = inStore.value();
        String number = number(inStore);
        boolean ours = number.length() > 9 && number.chars().allMatch(c -> c >= '0' && c <= '9');
        return ours ? new OwnerId(text.substring(0, text.length() - 9)) : inStore;
    }

    /** The same claim with another owner. */
    static Claim withOwner(Claim claim, OwnerId owner) {
        Claim renamed = Claim.of(claim.id(), claim.mode(), owner, claim.lease(), claim.party());
        if (claim.waited() != null) {
            renamed = renamed.waiting(claim.waited());
        }
        if (claim.lapses()) {
            renamed = renamed.lapsing(claim.lease());
        }
        return claim.forced() ? renamed.byForce() : renamed;
    }

    private static String number(OwnerId owner) {
        return owner.value().substring(owner.value().lastIndexOf(':') + 1);
    }
}
