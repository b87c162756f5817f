package dev.interlock.quorum;

import dev.interlock.spi.Claim;
import dev.interlock.spi.OwnerId;
import java.util.Locale;

/**
 * How the owner of a claim is written in the stores: the number of the acquisition is followed by nine digits, the
 * number of the round.
 */
final class Owners {

    private static final int ROUNDS = 1_000_000_000;

    private Owners() {}

    /** The owner in the stores. */
    static OwnerId inRound(OwnerId owner, int round) {
        String text = owner.value();
        // A default locale may have digits of its own.
        String suffix = String.format(Locale.ROOT, "%09d", round % ROUNDS);
        return new OwnerId(text.substring(0, text.lastIndexOf(':') + 1) + number(owner) + suffix);
    }

    /** The owner outside: that of the acquisition; the same if it was not written by a client of a quorum. */
    static OwnerId outside(OwnerId inStores) {
        String text = inStores.value();
        String number = number(inStores);
        boolean ours = number.length() > 9 && number.chars().allMatch(c -> c >= '0' && c <= '9');
        return ours ? new OwnerId(text.substring(0, text.length() - 9)) : inStores;
    }

    /** The same claim of another owner. */
    static Claim rename(Claim claim, OwnerId owner) {
        Claim renamed = Claim.of(claim.id(), claim.mode(), owner, claim.lease(), claim.party());
        if (claim.waited() != null) {
            renamed = renamed.waiting(claim.waited());
        }
        return claim.forced() ? renamed.byForce() : renamed;
    }

    private static String number(OwnerId owner) {
        return owner.value().substring(owner.value().lastIndexOf(':') + 1);
    }
}
