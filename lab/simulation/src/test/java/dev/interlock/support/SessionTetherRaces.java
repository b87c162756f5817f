package dev.interlock.support;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A session whose end is seen while an answer moves it. Once anybody has seen it over, nothing revives it. */
public class SessionTetherRaces {

    private static final Duration LONG = Duration.ofDays(1);

    private SessionTetherRaces() {}

    /**
     * r1 whether the answer counts, r2 whether the session is alive afterwards. Planted: {@code move} sets the later
     * end, without comparing.
     */
    @JCStressTest
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The answer was first")
    @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "The end was first")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The answer has revived it")
    @State
    public static class EndAgainstAnswer {
        private final SessionTether tether = new SessionTether(LONG, 50, System.nanoTime(), () -> true);

        @Actor
        public void end() {
            tether.cut();
        }

        @Actor
        public void answer(ZZ_Result r) {
            r.r1 = tether.move(System.nanoTime());
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            r.r2 = tether.leftNanos() > 0;
        }
    }

    /**
     * Two looks, and a client that seems closed for a moment: r1 the first look found it alive, r2 the second. Planted:
     * {@code leftNanos} returns 0 without setting the end.
     */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Nobody saw it over")
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "Over at the second look")
    @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "Over, and stayed so")
    @Outcome(id = "false, true", expect = Expect.FORBIDDEN, desc = "Alive again after it was over")
    @State
    public static class TwoLooks {
        private volatile boolean open = true;
        private final SessionTether tether = new SessionTether(LONG, 50, System.nanoTime(), () -> open);

        @Actor
        public void looks(ZZ_Result r) {
            r.r1 = tether.leftNanos() > 0;
            r.r2 = tether.leftNanos() > 0;
        }

        @Actor
        public void closes() {
            open = false;
            open = true;
        }
    }
}
