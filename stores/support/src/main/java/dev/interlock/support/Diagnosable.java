package dev.interlock.support;

import dev.interlock.StoreUnavailableException;
import java.util.List;
import java.util.OptionalLong;

/**
 * A store that can say how its server is set up, for people who want to know whether it is fit for locks. A
 * {@link dev.interlock.spi.LockStore} may offer it; locking does not need it, and no engine calls it. Both methods
 * block, for 15 s at most for each check, also if a server is silent: not for the threads of a store.
 */
public interface Diagnosable {

    /**
     * Reads the clock of the server, in one round trip.
     *
     * @return milliseconds since 1970; empty, without a round trip, if the server has no clock that can be read
     * @throws StoreUnavailableException if the server did not answer, or refuses
     */
    OptionalLong readClock();

    /**
     * Looks at the server, with the rights that locks need: a check that needs more is {@link Finding.Verdict#UNKNOWN}
     * if it is refused, and the others go on. Changes nothing.
     *
     * @return the findings, in the order in which to show them
     */
    List<Finding> diagnose();
}
