package dev.interlock.engine;

import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** What a caller sees of the outcome that another thread has decided. Invariant I2: the lease it gets is whole. */
public class OutcomeRaces {

    private static final Request REQUEST =
            new Request(LockId.lock("races"), Mode.exclusive(), LockOptions.defaults(), LeaseTerm.renewing());

    private OutcomeRaces() {}

    /**
     * r1 whether there is an outcome, r2 what was written before it was decided: the protected data of the earlier
     * holder.
     */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Not decided yet")
    @Outcome(id = "1, 42", expect = Expect.ACCEPTABLE, desc = "Decided, and all before it is visible")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Decided, but what came before is not visible")
    @State
    public static class HandOver {
        private final BlockedCaller caller = new BlockedCaller(REQUEST, false, 1, EngineClock.NEVER);
        private final int[] data = new int[1];

        @Actor
        public void holder() {
            data[0] = 42;
            caller.decide(dev.interlock.engine.Outcome.NoLease.REFUSED);
        }

        @Actor
        public void next(II_Result r) {
            if (caller.outcome() != null) {
                r.r1 = 1;
                r.r2 = data[0];
            }
        }
    }
}
