package dev.interlock.support;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A store that closes while a request arrives: once its end was awaited, no thread of it does anything. */
public class SerialExecutorRaces {

    private static final Duration LONG = Duration.ofMinutes(1);

    private SerialExecutorRaces() {}

    /**
     * r1 whether the first request was accepted, r2 whether its thread ended after the wait for that. Planted: an
     * {@code awaitEnd} that joins the threads that are alive, and does not await the termination of the executor.
     */
    @JCStressTest
    @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "Refused")
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "Accepted, and the wait was for its thread")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The thread did its last action after the wait")
    @State
    public static class ClosingAtTheFirstRequest {
        private volatile boolean awaited;
        private volatile boolean late;
        private final SerialExecutor executor = new SerialExecutor("interlock-race", LONG, () -> late |= awaited);

        @Actor
        public void request(ZZ_Result r) {
            r.r1 = executor.execute(() -> {});
        }

        @Actor
        public void closing() {
            executor.close();
            executor.awaitEnd(LONG);
            awaited = true;
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            // Now its thread has been started, if it ever is.
            executor.awaitEnd(LONG);
            r.r2 = late;
        }
    }
}
