package dev.interlock.testkit.process;

import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.barrier.BrokenGenerationException;
import dev.interlock.barrier.DistributedBarrier;
import dev.interlock.testkit.Patience;
import java.time.Duration;

/**
 * A process that is a party of a barrier: URI, name, how many parties, length of the lease. On each line {@code await}
 * it arrives, and says {@code passed GENERATION}, or {@code broken REASON PID} with the process that is the cause.
 */
public final class BarrierChild {

    private BarrierChild() {}

    public static void main(String[] arguments) throws Exception {
        ChildMain parent = new ChildMain();
        Interlock client = Interlock.builder(arguments[0])
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .build();
        DistributedBarrier barrier = DistributedBarrier.of(
                client, arguments[1], Integer.parseInt(arguments[2]), LeaseTerm.renewing(Duration.parse(arguments[3])));
        while (true) {
            // The parent says nothing else.
            parent.hearOrDie();
            try {
                parent.say("passed " + barrier.await());
            } catch (BrokenGenerationException e) {
                parent.say("broken " + e.reason() + " "
                        + e.party().map(party -> party.pid()).orElse(0L));
            }
        }
    }
}
