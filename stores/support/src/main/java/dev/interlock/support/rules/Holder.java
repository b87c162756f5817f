package dev.interlock.support.rules;

import dev.interlock.Party;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;

/**
 * A claim that holds the name, or a part of it.
 *
 * @param owner its owner
 * @param party who it is
 * @param mode what it holds
 * @param since when it was granted
 * @param until when it ends unless it is renewed
 * @param lasts the lease that {@code until} was computed with; {@link NameState#UNKNOWN} if the store does not keep it
 * @param fence the fence of its grant
 */
public record Holder(OwnerId owner, Party party, Mode mode, long since, long until, long lasts, long fence)
        implements Entry<Holder> {

    @Override
    public Holder lasting(long newUntil) {
        return renewed(mode, newUntil, lasts);
    }

    Holder renewed(Mode newMode, long newUntil, long newLasts) {
        return new Holder(owner, party, newMode, since, newUntil, newLasts, fence);
    }
}
