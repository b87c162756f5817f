package dev.interlock.quorum;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Releases that come while others are sent: none stays in the queue of a store that answers. */
public class PendingReleaseRaces {

    private static final Duration LONG = Duration.ofDays(1);

    private PendingReleaseRaces() {}

    private static Claim claim(int number) {
        return Claim.of(LockId.lock("race"), OwnerId.of("client", number), LONG, Party.UNKNOWN);
    }

    /**
     * r1 how many were sent. Planted: the end of sending is noted after the monitor was left, when the queue was found
     * empty.
     */
    @JCStressTest
    @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Both were sent, once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One stays in the queue, or was sent twice")
    @State
    public static class TwoReleases {
        private final Answering store = new Answering();
        private final PendingReleases releases = new PendingReleases(store, LONG, QuorumTime.SYSTEM);

        @Actor
        public void one() {
            releases.add(claim(1));
        }

        @Actor
        public void other() {
            releases.add(claim(2));
        }

        @Arbiter
        public void afterwards(I_Result r) {
            r.r1 = store.released.get();
        }
    }

    /** A store that answers at once: the claim was there. */
    private static final class Answering implements LockStore {

        private final AtomicInteger released = new AtomicInteger();

        @Override
        public CompletionStage<Boolean> release(Claim claim) {
            released.incrementAndGet();
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public CompletionStage<Boolean> execute(Command command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<LockStatus> inspect(LockId id) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void onWake(Consumer<Wake> listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }
    }
}
