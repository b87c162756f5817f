package dev.interlock.engine;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A deadline that passes while a renewal moves it. Invariant I4: once anybody has seen it pass, nothing revives it. */
public class DeadlineRaces {

    private static final long MOMENT = 100;
    private static final long BEFORE = 99;
    private static final long BETWEEN = 150;
    private static final long LATER = 200;

    private DeadlineRaces() {}

    /** One reader and one renewal: r1 the reader saw it pass, r2 the renewal moved it, r3 it is over afterwards. */
    @JCStressTest
    @Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "The reader was first")
    @Outcome(id = "false, true, false", expect = Expect.ACCEPTABLE, desc = "The renewal was first")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Passed and moved, or neither")
    @State
    public static class ReaderAgainstRenewal {
        private final Deadline deadline = new Deadline(MOMENT);

        @Actor
        public void reader(ZZZ_Result r) {
            r.r1 = deadline.passed(MOMENT);
        }

        @Actor
        public void renewal(ZZZ_Result r) {
            r.r2 = deadline.move(LATER, BEFORE);
        }

        @Arbiter
        public void afterwards(ZZZ_Result r) {
            r.r3 = deadline.passed(BETWEEN);
        }
    }

    /**
     * Two readers and a renewal, as two actors, because two cores run no more: r1 the first look, r2 a second look with
     * an earlier clock.
     */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Passed, and stayed so")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The other reader closed it in between")
    @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "Open, or moved in time")
    @Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "Open again after it had passed")
    @State
    public static class LaterReader {
        private final Deadline deadline = new Deadline(MOMENT);

        @Actor
        public void renewalAndReader() {
            deadline.move(LATER, BEFORE);
            deadline.passed(MOMENT);
        }

        @Actor
        public void looksTwice(ZZ_Result r) {
            r.r1 = deadline.passed(MOMENT);
            r.r2 = deadline.passed(BEFORE);
        }
    }

    /** Two renewals: the later moment wins in either order. */
    @JCStressTest
    @Outcome(id = "true, true, false", expect = Expect.ACCEPTABLE, desc = "Both moved it, the later moment stands")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A renewal was lost, or shortened the lease")
    @State
    public static class TwoRenewals {
        private final Deadline deadline = new Deadline(MOMENT);

        @Actor
        public void longer(ZZZ_Result r) {
            r.r1 = deadline.move(LATER, BEFORE);
        }

        @Actor
        public void shorter(ZZZ_Result r) {
            r.r2 = deadline.move(BETWEEN, BEFORE);
        }

        @Arbiter
        public void afterwards(ZZZ_Result r) {
            r.r3 = deadline.passed(BETWEEN);
        }
    }
}
