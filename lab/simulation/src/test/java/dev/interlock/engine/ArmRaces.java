package dev.interlock.engine;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Moments that are armed at once. Invariant I4: the earliest is watched. */
public class ArmRaces {

    private static final long EARLY = 3_000_000_000L;
    private static final long LATE = 5_000_000_000L;
    private static final EngineCore CORE = new StillEngine().core();

    private ArmRaces() {}

    /** r1 whether the earlier of two moments is the next to look at. */
    @JCStressTest
    @Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "The earlier moment is watched")
    @Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "The later moment has hidden the earlier one")
    @State
    public static class TwoMoments {
        private final Supervisor supervisor =
                new Supervisor(CORE.context().clock(), CORE, StillEngine.NeverStarted::new);

        @Actor
        public void early() {
            supervisor.arm(EARLY);
        }

        @Actor
        public void late() {
            supervisor.arm(LATE);
        }

        @Arbiter
        public void afterwards(Z_Result r) {
            r.r1 = supervisor.sweepIfDue(1) == EARLY;
        }
    }
}
