package dev.interlock.engine;

import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.spi.LockId;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Races over a hold that a thread shares with another: exactly one of them is told to release the lease. */
public class HoldRaces {

    private static final LockId NAME = LockId.lock("shared");
    private static final EngineLease LEASE = (EngineLease)
            new StillEngine().lock(LockOptions.defaults()).tryAcquire().orElseThrow();

    private HoldRaces() {}

    /** Its thread leaves while another ends the share. */
    @JCStressTest
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "its thread was last")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "the share was last")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both release it, or nobody")
    @State
    public static class LeavingAndEnding {

        private final ThreadHolds holds = new ThreadHolds();
        private final ThreadHolds.Hold hold = new ThreadHolds.Hold(LEASE);
        private final Supplier<@Nullable Lease> share = hold.share();

        @Actor
        public void owner(ZZ_Result result) {
            result.r1 = holds.leave(NAME, hold);
        }

        @Actor
        public void other(ZZ_Result result) {
            result.r2 = share.get() != null;
        }
    }

    /** Its thread, which has only the share left, locks again and unlocks while another ends the share. */
    @JCStressTest
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "its thread was last")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "the share was last")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both release it, or nobody")
    @State
    public static class ReenteringAndEnding {

        private final ThreadHolds holds = new ThreadHolds();
        private final ThreadHolds.Hold hold = new ThreadHolds.Hold(LEASE);
        private final Supplier<@Nullable Lease> share = hold.share();

        public ReenteringAndEnding() {
            var unused = holds.leave(NAME, hold);
        }

        @Actor
        public void owner(ZZ_Result result) {
            result.r1 = hold.reenter() && holds.leave(NAME, hold);
        }

        @Actor
        public void other(ZZ_Result result) {
            result.r2 = share.get() != null;
        }
    }
}
