package dev.interlock.annotation.spi;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.engine.StillEngine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Locked methods that begin, end and lose their locks while the application or their transaction ends. */
public class MethodRaces {

    private MethodRaces() {}

    /**
     * r1 whether a method ran when all were said to have ended, r2 whether that was said at all. Planted: {@code end}
     * looks for methods before it refuses new ones.
     */
    @JCStressTest
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "It was refused, or the end came after it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The end came while it ran, or never")
    @State
    public static class BeginningAtTheEnd {
        private final RunningMethods methods = new RunningMethods();
        private volatile boolean inside;
        private volatile @Nullable CompletableFuture<Void> ended;

        @Actor
        public void method() {
            RunningMethods.Run run;
            try {
                run = methods.enter("race");
            } catch (IllegalStateException e) {
                return;
            }
            inside = true;
            inside = false;
            methods.leave(run);
        }

        @Actor
        public void application(ZZ_Result r) {
            CompletableFuture<Void> end = methods.end();
            ended = end;
            r.r1 = end.isDone() && inside;
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            CompletableFuture<Void> end = ended;
            r.r2 = end != null && end.isDone();
        }
    }

    /**
     * r1 whether a thread is interrupted after its body, of which the lease is lost. Planted: the loss asks outside the
     * monitor whether the body has ended.
     */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "Interrupted in the body, or not at all")
    @Outcome(id = "true", expect = Expect.FORBIDDEN, desc = "Interrupted for a body that has ended")
    @State
    public static class LossAtTheEnd {
        private volatile SynchronousLocking.@Nullable Interruption interruption;

        @Actor
        public void body(Z_Result r) {
            SynchronousLocking.Interruption own = new SynchronousLocking.Interruption();
            interruption = own;
            boolean unused = own.end();
            r.r1 = Thread.interrupted();
        }

        @Actor
        public void loss() {
            SynchronousLocking.Interruption known = interruption;
            if (known != null) {
                known.accept(LossCause.TAKEN);
            }
        }
    }

    /** A transaction that keeps a lease for two calls. */
    private static final class Transaction {

        private final DistributedLock lock = new StillEngine().lock(LockOptions.defaults());
        private final KeptLease kept = new KeptLease();
        private final KeptLease.Turn one = turn();
        private final KeptLease.Turn other = turn();
        private final Lease first = kept.take(one, null).join().orElseThrow();

        private KeptLease.Turn turn() {
            return new KeptLease.Turn(
                    () -> lock.acquireAsync().thenApply(Optional::of).toCompletableFuture());
        }

        void end(KeptLease.Turn turn, Lease lease) {
            var unused = kept.end(turn, lease, () -> Duration.ZERO);
        }

        /** The other call has the lease, and at the end of all nobody has. */
        void judge(CompletableFuture<Optional<Lease>> ofOther, ZZ_Result r) {
            r.r1 = ofOther.isDone();
            if (r.r1) {
                end(other, ofOther.join().orElseThrow());
            }
            kept.complete().join();
            r.r2 = lock.tryAcquire().isPresent();
        }
    }

    /**
     * r1 whether a call that comes while the lease is given back has it, r2 whether the lock is free in the end.
     * Planted: {@code take} asks outside the monitor whether the lease is taken.
     */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "It was idle, or the call was in line")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The call is forgotten, or the lock stays")
    @State
    public static class TakingAtTheEnd {
        private final Transaction transaction = new Transaction();
        private CompletableFuture<Optional<Lease>> taken = new CompletableFuture<>();

        @Actor
        public void one() {
            transaction.end(transaction.one, transaction.first);
        }

        @Actor
        public void other() {
            taken = transaction.kept.take(transaction.other, null);
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            transaction.judge(taken, r);
        }
    }

    /**
     * The same, for a call in line when the transaction completes. Planted: a lease that nobody waits for is kept idle,
     * whether or not the transaction was completed just now.
     */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "The call has it, kept or from the store")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The call is forgotten, or the lock stays")
    @State
    public static class CompletionAtTheEnd {
        private final Transaction transaction = new Transaction();
        private final CompletableFuture<Optional<Lease>> taken = transaction.kept.take(transaction.other, null);

        @Actor
        public void one() {
            transaction.end(transaction.one, transaction.first);
        }

        @Actor
        public void completes() {
            var unused = transaction.kept.complete();
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            transaction.judge(taken, r);
        }
    }
}
