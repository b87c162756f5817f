package dev.interlock.election;

import dev.interlock.Candidate;
import dev.interlock.LeadershipEnd;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.engine.StillEngine;
import dev.interlock.spi.LockId;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A candidacy that several threads end. Its thread leaves, and tells the candidate the end of each leadership, once,
 * when it does not lead any more.
 */
public class CandidacyRaces {

    /** A candidacy whose thread has not left by then never will: whoever it waits for has gone. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** For so long a candidacy may take to acquire a lock that is free. */
    private static final long MOST_NANOS = 30_000;

    /** Whether one has not left: then nobody waits for another. */
    private static volatile boolean hanging;

    private CandidacyRaces() {}

    /** A candidacy in an election that is its own. */
    private static final class Stand implements Candidate {

        private final StillEngine engine = new StillEngine();
        private final ClientElections elections = new ClientElections(
                (client, name, options) -> {
                    throw new UnsupportedOperationException();
                },
                (name, options) -> {
                    stands = true;
                    return engine.lock(LockId.lock(name), options);
                },
                Duration.ofDays(1),
                PATIENCE);
        private final LockCandidacy candidacy =
                new LockCandidacy(elections, "race", LockOptions.defaults(), LeaderRole.of(this));

        /** Of the candidacy's thread, as what follows. */
        private int open;

        private int abdicated;

        private volatile boolean wrong;

        /** Whether it is about to acquire the lock. */
        private volatile boolean stands;

        private volatile boolean elected;
        private final CountDownLatch told = new CountDownLatch(1);

        @Override
        public void elected(Lease leadership) {
            open++;
            wrong |= open != 1 || Thread.currentThread().isInterrupted();
            elected = true;
        }

        @Override
        public void ended(Lease leadership, LeadershipEnd end) {
            open--;
            wrong |= open != 0 || candidacy.isLeader() || !leadership.isValid();
            abdicated += end.reason() == LeadershipEnd.Reason.ABDICATED ? 1 : 0;
            told.countDown();
        }

        void awaitElected() {
            while (!elected) {
                Thread.onSpinWait();
            }
        }

        /** It acquires the lock in microseconds, from now on. */
        void awaitAboutToLead() {
            while (!stands) {
                Thread.onSpinWait();
            }
            long untilNanos = System.nanoTime() + ThreadLocalRandom.current().nextLong(MOST_NANOS);
            while (System.nanoTime() - untilNanos < 0) {
                Thread.onSpinWait();
            }
        }

        /** Waits until the candidate was told an end. */
        boolean isTold() {
            try {
                boolean now = told.await(hanging ? 0 : PATIENCE.toSeconds(), TimeUnit.SECONDS);
                hanging |= !now;
                return now;
            } catch (InterruptedException e) {
                return false;
            }
        }

        void judge(ZZ_Result r) {
            if (!hanging) {
                candidacy.close();
            }
            r.r1 = candidacy.hasLeft();
            r.r2 = r.r1 && !wrong && open == 0;
            hanging |= !r.r1;
        }
    }

    /**
     * It leaves while it joins: r1 it has left, r2 the candidate knows. Planted: a candidacy that has the lease does
     * not ask whether it is to leave.
     */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Left, before or after it led")
    @Outcome(expect = Expect.FORBIDDEN, desc = "It leads, or the candidate was told something else")
    @State
    public static class LeavingAtTheBegin {
        private final Stand stand = new Stand();

        @Actor
        public void joins() {
            stand.candidacy.start();
        }

        @Actor
        public void leaves() {
            stand.awaitAboutToLead();
            stand.candidacy.leave();
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            stand.judge(r);
        }
    }

    /**
     * Two give up what it leads: r1 it has left, r2 the candidate was told as often as one of them had done so, and
     * before it left. Planted: the end of a leadership notifies nobody.
     */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "One of them has ended the leadership")
    @Outcome(expect = Expect.FORBIDDEN, desc = "It leads, or the candidate was told something else")
    @State
    public static class TwoEnds {
        private final Stand stand = new Stand();
        private boolean first;
        private boolean second;

        public TwoEnds() {
            stand.candidacy.start();
            stand.awaitElected();
        }

        @Actor
        public void one() {
            first = stand.candidacy.abdicate();
        }

        @Actor
        public void other() {
            second = stand.candidacy.abdicate();
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            boolean told = stand.isTold();
            stand.judge(r);
            int given = (first ? 1 : 0) + (second ? 1 : 0);
            r.r2 &= told && stand.abdicated == given;
        }
    }
}
