package dev.interlock.group;

import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.engine.StillEngine;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A wait that ends while its lease is found lost: what the thread does next is not interrupted. */
public class LossWatchRaces {

    private static final Lease OVER = over();

    private LossWatchRaces() {}

    private static Lease over() {
        Lease lease =
                new StillEngine().lock(LockOptions.defaults()).tryAcquire().orElseThrow();
        lease.close();
        return lease;
    }

    /**
     * r1 whether a thread is interrupted after its wait. Planted: the look asks outside the monitor whether the wait is
     * over.
     */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "Interrupted in the wait, or not at all")
    @Outcome(id = "true", expect = Expect.FORBIDDEN, desc = "Interrupted for a wait that is over")
    @State
    public static class LossAtTheEnd {
        private volatile @Nullable LossWatch watch;

        @Actor
        public void waits(Z_Result r) {
            LossWatch own = new LossWatch(OVER);
            watch = own;
            own.close();
            r.r1 = Thread.interrupted();
        }

        @Actor
        public void looks() {
            LossWatch known = watch;
            if (known != null) {
                known.look();
            }
        }
    }
}
