package dev.interlock.jdbc.claims;

import dev.interlock.LockStatus;
import dev.interlock.spi.Claim;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.util.OptionalLong;

/**
 * Who gets a name: the same for all databases. It looks at a {@link NameState} and changes it; whether that is written
 * is decided by the verbs.
 */
interface Rule {

    /** Grants the claim if it can be: its fence; empty if not, and then nothing has changed for others. */
    OptionalLong grant(Claim claim);

    /** Ends the claim, held or waiting. Returns whether it was held. */
    boolean end(OwnerId owner, boolean byForce);

    /**
     * PendingWakes the waiting claims that could be granted now, longest waiting first: those whose client listens are
     * noted in {@link NameState#woken}; for one that polls the name is kept for a moment, if it has waited for so long.
     *
     * @return whether it is anybody's turn
     */
    boolean call(long patienceMs);

    /** Why a claim is not held, or that it is. */
    Renewal standing(Claim claim);

    /** What people are told. */
    LockStatus status();
}
