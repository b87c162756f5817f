package dev.interlock.engine;

import dev.interlock.spi.QueuedAnswer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Races over a verb that stands in a store's line: it is sent, or it is withdrawn. What is both leaves a claim that
 * nobody takes back.
 */
public class WithdrawalRaces {

    private WithdrawalRaces() {}

    /** The store's thread comes to it while its caller gives up. */
    @JCStressTest
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "sent")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "withdrawn")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both or neither")
    @State
    public static class SendingAndWithdrawing {

        private final QueuedAnswer<String> answer = new QueuedAnswer<>();

        @Actor
        public void store(ZZ_Result result) {
            result.r1 = answer.begin();
        }

        @Actor
        public void engine(ZZ_Result result) {
            result.r2 = answer.withdraw();
        }
    }
}
