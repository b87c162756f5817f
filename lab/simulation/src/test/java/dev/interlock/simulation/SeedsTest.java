package dev.interlock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Invariants I1 to I8, in some thousand runs; and plans that have failed once. */
@Tag("wide")
class SeedsTest {

    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;

    @Test
    void locks_keepTheRules() {
        pass(Setting.Kind.LOCK, 3_000);
    }

    @Test
    void fairLocks_keepTheRules() {
        pass(Setting.Kind.FAIR, 500);
    }

    @Test
    void readWriteLocks_keepTheRules() {
        pass(Setting.Kind.READ_WRITE, 500);
    }

    @Test
    void semaphores_keepTheRules() {
        pass(Setting.Kind.SEMAPHORE, 500);
    }

    @Test
    void locksReleasedEarly_keepTheRules() {
        pass(Setting.Kind.EARLY, 1_000);
    }

    @Test
    void quorums_keepTheRules() {
        pass(Setting.Kind.QUORUM, 1_000);
    }

    /**
     * A writer let go while its claim was being made a shared one, for a reader of its client. The request was lost,
     * and the reader let go, too: nobody gave the request up, and the writer waited for its reply for ever.
     */
    @Test
    void aWriterThatLetsGo_isTold_thoughItsReadersHaveLeft() {
        pass(Setting.Kind.READ_WRITE, 17_956_669_710_010_056L, 1);
    }

    /**
     * A restart that ended while the server was still down for the loss of its data let it serve in between, and lose
     * what it had just granted: a microsecond later it gave the same fence again, which no server can.
     */
    @Test
    void aServerThatIsDownTwice_servesNobodyInBetween() {
        pass(Setting.Kind.READ_WRITE, 17_956_767_470_063_741L, 1);
    }

    /**
     * A release overtook the request of a caller that left, whose lease was shorter than the pause before the next
     * release. There was none, so the store woke a claim that nobody wanted, and another waited for its next poll.
     */
    @Test
    void aCallerThatLeaves_takesItsPlaceWithIt_howeverShortItsLease() {
        pass(Setting.Kind.LOCK, 17_956_868_480_032_468L, 1);
    }

    /** Both ways of a first request were slow, and took longer than half an attempt. */
    @Test
    void aFirstReplyThatIsSlow_isWaitedFor() {
        pass(Setting.Kind.READ_WRITE, 17_957_945_970_062_315L, 1);
    }

    /**
     * The first request since a caller came was sent at the end of its time, and the reply was lost: it is waited for
     * until the attempt is over.
     */
    @Test
    void aRequestThatIsUnderWayWhenTheTimeIsOver_isWaitedFor() {
        pass(Setting.Kind.SEMAPHORE, 17_960_123_380_143_395L, 1);
    }

    /** A caller let go, and another of its process had the lock in the same nanosecond: that is one after the other. */
    @Test
    void aHandOver_mayTakeNoTime() {
        pass(Setting.Kind.EARLY, 17_956_948_580_115_162L, 1);
    }

    /** A server forgot its fences, and two leases of a process had one token: each has an outcome of its own. */
    @Test
    void anOutcome_isThatOfTheLeaseThatWasReleased() {
        pass(Setting.Kind.EARLY, 17_956_952_210_205_925L, 1);
    }

    /**
     * A release was on its way when the run looked for what nobody has: too early, since a call had followed another.
     */
    @Test
    void aReleaseOnItsWay_isNotLeftBehind() {
        pass(Setting.Kind.EARLY, 17_956_953_640_013_023L, 1);
    }

    /**
     * Permits passed on to a caller whose own request was under way, and was granted after its release: the name was
     * not free for the next caller.
     */
    @Test
    void aRequestThatIsOvertakenByItsRelease_isInTheWay() {
        pass(Setting.Kind.SEMAPHORE, 17_956_985_390_003_861L, 1);
    }

    /**
     * A failover lost a grant, and the clock had been set back: somebody else got the same fence and let go. The holder
     * of the first, whose lease was fixed, is not late when it lets go after that.
     */
    @Test
    void aFenceThatIsGivenTwice_hasTwoEnds() {
        pass(Setting.Kind.LOCK, 719_515L, 1);
    }

    /**
     * A lease of a successor, which lasts for 5 s until its first renewal, was lost while the store refused all
     * requests. The holder listened only 15 s later, when there would have been time for a renewal.
     */
    @Test
    void aLossThatIsOlderThanTheListener_wasNotCalm() {
        pass(Setting.Kind.FAIR, 453_334L, 1);
    }

    /** Two held the lock for a minute each, beside others that polled: many events, and an end. */
    @Test
    void aLongRun_isNotEndless() {
        pass(Setting.Kind.EARLY, 17_956_954_260_289_286L, 1);
    }

    /** Somebody holds for longer than any plan takes. */
    @Test
    void aRunThatGoesOn_isReported_withItsSeed() {
        Setting setting =
                new Setting(4711, Setting.Kind.LOCK, false, true, 2, 1, 1, MILLI, MILLI, 0, 0, Duration.ofSeconds(1));
        long hold = Timeline.LONGEST_NANOS + 60_000 * MILLI;
        Plan plan = new Plan(setting, List.of(ask(0, 0, 0, 0, Ask.Want.FOR_EVER, 0, 30_000 * MILLI, hold)));

        Violation violation = Checker.check(plan, World.run(plan)).orElseThrow();

        assertThat(violation.rule()).isEqualTo(Violation.Rule.ENDLESS);
        assertThat(Search.headline(new Search.Failure(plan, violation)))
                .startsWith("seed 4711 of LOCK breaks ENDLESS")
                .contains("lab/simulation/run --kind LOCK --seed 4711 ");
    }

    private static void pass(Setting.Kind kind, long seeds) {
        pass(kind, 1, seeds);
    }

    private static void pass(Setting.Kind kind, long first, long seeds) {
        Search search = new Search(kind, first, seeds, TimeUnit.HOURS.toNanos(1), 2, new Coverage());
        Optional<Search.Failure> failure = search.run(() -> {});

        assertThat(failure.map(failed -> Search.headline(failed) + Search.smallest(failed)))
                .isEmpty();
        assertThat(search.passed()).isEqualTo(seeds);
    }

    /** A caller left after 0.3 ms. A timed call whose time was over before its first reply got what that brought. */
    @Test
    void aCallerThatLeaves_isNoProofThatTheStoreIsSilent() {
        Setting setting = new Setting(
                11546, Setting.Kind.LOCK, false, true, 2, 1, 1, 20 * MILLI, 20 * MILLI, 0, 0, Duration.ofSeconds(1));
        History history = World.run(new Plan(
                setting,
                List.of(
                        new Ask(
                                0,
                                1,
                                0,
                                3_954 * MICRO,
                                Ask.Want.FOR_EVER,
                                0,
                                1,
                                false,
                                1_000 * MILLI,
                                0,
                                MICRO,
                                Ask.End.RELEASE,
                                280 * MICRO),
                        new Ask(
                                1,
                                1,
                                0,
                                2_698 * MICRO,
                                Ask.Want.TIMED,
                                3_062 * MICRO,
                                1,
                                false,
                                200 * MILLI,
                                0,
                                MICRO,
                                Ask.End.RELEASE,
                                0))));

        String seen = history.events().stream()
                .filter(event -> event.call() == 1)
                .map(event -> event.kind().toString())
                .collect(Collectors.joining(" "));
        assertThat(seen).startsWith("ASKED GRANTED");
    }

    /** Seed 1 of a semaphore. A single attempt left a line of its name behind, in which nobody stood. */
    @Test
    void aSingleAttempt_leavesNothingBehind() {
        Setting setting = new Setting(
                1, Setting.Kind.SEMAPHORE, true, false, 2, 2, 1, 54_050, 108_100, 0, 0, Duration.ofSeconds(1));

        assertPasses(setting, ask(2, 1, 1, 595_000, Ask.Want.ONCE, 0, 30_000 * MILLI, MICRO));
    }

    /** Seed 4003 of a fair lock. A release overtook the request, whose place outlived the lease of 60 ms. */
    @Test
    void aPlaceThatOutlivesItsLease_isGivenBack() {
        Setting setting = new Setting(
                4003, Setting.Kind.FAIR, false, false, 3, 1, 1, 1_495_458, 2_990_916, 1, 0, Duration.ofSeconds(1));

        assertPasses(
                setting,
                ask(0, 1, 0, 2_213_656, Ask.Want.TIMED, 1_086_872, 60 * MILLI, MICRO),
                ask(6, 1, 0, 5_847_929, Ask.Want.FOR_EVER, 0, 200 * MILLI, 50 * MILLI));
    }

    private static Ask ask(
            int number,
            int process,
            int name,
            long atNanos,
            Ask.Want want,
            long waitNanos,
            long leaseNanos,
            long holdNanos) {
        return new Ask(
                number,
                process,
                name,
                atNanos,
                want,
                waitNanos,
                1,
                false,
                leaseNanos,
                0,
                holdNanos,
                Ask.End.RELEASE,
                0);
    }

    private static void assertPasses(Setting setting, Step... steps) {
        Plan plan = new Plan(setting, List.of(steps));
        assertThat(Checker.check(plan, World.run(plan)).map(Violation::text)).isEmpty();
    }
}
