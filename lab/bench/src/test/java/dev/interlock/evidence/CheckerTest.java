package dev.interlock.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Histories with one thing wrong each, and one without: the checker says what it is, and nothing else. */
class CheckerTest {

    private static final Duration LEASE = Duration.ofSeconds(3);

    private final List<Event> events = new ArrayList<>();
    private long now;

    @Test
    void aHistoryInOrder_hasNothingToSay() {
        hold(1, 1, 10);
        write(1, 1, 10);
        release(1, 1);
        hold(2, 1, 11);
        write(2, 1, 11);
        release(2, 1);

        Findings findings = findings();

        assertThat(findings).isEqualTo(new Findings(0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of()));
        assertThat(findings.isConvicted()).isFalse();
    }

    @Test
    void aWriteAfterThatOfALaterHolder_isAnOverlap() {
        lateWriter(What.WROTE);
        release(1, 1);

        Findings findings = findings();

        assertThat(findings.overlaps()).isEqualTo(1);
        assertThat(findings.fenced()).isZero();
        assertThat(findings.neverTold()).isEqualTo(1);
        assertThat(findings.isConvicted()).isTrue();
    }

    @Test
    void aLateWriteThatIsRefused_isAnOverlapThatFencingStopped() {
        lateWriter(What.REFUSED);
        add(1, 1, What.RELEASES, 10);
        add(1, 1, What.UNRELEASED, 10);

        Findings findings = findings();

        assertThat(findings.overlaps()).isEqualTo(1);
        assertThat(findings.fenced()).isEqualTo(1);
        assertThat(findings.refused()).isZero();
        assertThat(findings.toldLate()).isEqualTo(1);
        assertThat(findings.isConvicted()).isFalse();
    }

    @Test
    void oneOfSeveralLateWritesThatIsTaken_isNotStopped() {
        lateWriter(What.REFUSED);
        write(1, 1, 10);

        assertThat(findings().fenced()).isZero();
    }

    @Test
    void aHolderThatIsToldBeforeItWritesLate_isInTime() {
        hold(1, 1, 10);
        write(1, 1, 10);
        hold(2, 1, 11);
        write(2, 1, 11);
        add(1, 1, What.LOST, 10);

        Findings findings = findings();

        assertThat(findings.toldInTime()).isEqualTo(1);
        assertThat(findings.overlaps() + findings.toldLate() + findings.neverTold())
                .isZero();
    }

    @Test
    void aHolderThatWroteLateAndIsToldThen_isLate() {
        lateWriter(What.WROTE);
        add(1, 1, What.LOST, 10);

        assertThat(findings().toldLate()).isEqualTo(1);
        assertThat(findings().toldInTime()).isZero();
    }

    @Test
    void aKilledHolder_hasNotLostAnything() {
        hold(1, 1, 10);
        write(1, 1, 10);
        add(1, 0, What.KILLED, Rival.NO_TOKEN);
        hold(2, 1, 11);
        write(2, 1, 11);

        Findings findings = findings();

        assertThat(findings.neverTold() + findings.toldLate() + findings.toldInTime())
                .isZero();
    }

    @Test
    void aRefusalWithNobodyElseHolding_isOfAHolderInItsRight() {
        hold(1, 1, 10);
        write(1, 1, 10);
        release(1, 1);
        hold(2, 1, 1);
        add(2, 1, What.REFUSED, 1);

        assertThat(findings().refused()).isEqualTo(1);
    }

    @Test
    void nobodyHoldsForLongerThanALeaseAndASecond_isAPhantom() {
        add(0, 0, What.STRIKES, Rival.NO_TOKEN);
        add(0, 0, What.HEALED, Rival.NO_TOKEN);
        add(1, 0, What.ASKS, Rival.NO_TOKEN);
        pass(Duration.ofMillis(4_100));
        hold(1, 1, 10);

        Findings findings = findings();

        assertThat(findings.phantoms()).isEqualTo(1);
        assertThat(findings.outageMillis()).isEqualTo(4_101);
        assertThat(findings.isConvicted()).isTrue();
    }

    @Test
    void anOutageWhileTheServerIsStruck_isNobodysFault() {
        add(1, 0, What.ASKS, Rival.NO_TOKEN);
        add(0, 0, What.STRIKES, Rival.NO_TOKEN);
        pass(Duration.ofSeconds(10));
        add(0, 0, What.HEALED, Rival.NO_TOKEN);
        pass(Duration.ofSeconds(2));
        hold(1, 1, 10);

        Findings findings = findings();

        assertThat(findings.phantoms()).isZero();
        assertThat(findings.outageMillis()).isEqualTo(12_002);
    }

    @Test
    void aHolderWhoseClockIsWrong_holds() {
        add(1, 0, What.ASKS, Rival.NO_TOKEN);
        hold(2, 1, 10);
        add(-1, 0, What.STRIKES, Rival.NO_TOKEN);
        pass(Duration.ofSeconds(5));
        add(-1, 0, What.HEALED, Rival.NO_TOKEN);
        add(-1, 0, What.HIT, Rival.NO_TOKEN);
        release(2, 1);
        pass(Duration.ofMillis(10));
        hold(1, 1, 11);

        Findings findings = findings();

        assertThat(findings.strikes()).isEqualTo(1);
        assertThat(findings.phantoms()).isZero();
        assertThat(findings.outageMillis()).isLessThan(1_000);
    }

    @Test
    void aStruckHolderAndAStruckWaiter_doNotCount() {
        add(1, 0, What.ASKS, Rival.NO_TOKEN);
        add(1, 0, What.STRIKES, Rival.NO_TOKEN);
        pass(Duration.ofSeconds(10));
        add(1, 0, What.HEALED, Rival.NO_TOKEN);
        hold(1, 1, 10);
        add(1, 0, What.STRIKES, Rival.NO_TOKEN);
        add(2, 0, What.ASKS, Rival.NO_TOKEN);
        pass(Duration.ofSeconds(2));
        hold(2, 1, 11);

        Findings findings = findings();

        assertThat(findings.outageMillis()).isEqualTo(2_001);
        assertThat(findings.phantoms()).isZero();
    }

    @Test
    void oneThatWaitsWhileOthersGetIt_isStuck() {
        add(1, 0, What.ASKS, Rival.NO_TOKEN);
        add(2, 0, What.STRIKES, Rival.NO_TOKEN);
        add(2, 0, What.HEALED, Rival.NO_TOKEN);
        add(2, 0, What.HIT, Rival.NO_TOKEN);
        hold(2, 1, 10);
        release(2, 1);
        pass(LEASE.plus(Checker.GRACE).plusMillis(100));
        hold(1, 1, 11);

        Findings findings = findings();

        assertThat(findings.strikes()).isEqualTo(1);
        assertThat(findings.stuck()).isEqualTo(1);
    }

    /** The first holder writes again after the second has. */
    private void lateWriter(What last) {
        hold(1, 1, 10);
        write(1, 1, 10);
        hold(2, 1, 11);
        write(2, 1, 11);
        add(1, 1, last, 10);
    }

    private void hold(int client, int hold, long token) {
        add(client, hold, What.HOLDS, token);
    }

    private void write(int client, int hold, long token) {
        add(client, hold, What.WROTE, token);
    }

    private void release(int client, int hold) {
        add(client, hold, What.RELEASES, Rival.NO_TOKEN);
        add(client, hold, What.RELEASED, Rival.NO_TOKEN);
    }

    private void add(int client, int hold, What what, long token) {
        pass(Duration.ofMillis(1));
        events.add(Event.ofLine(new Event(now, client, hold, what, token, "").toLine()));
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private Findings findings() {
        return Checker.check(events, LEASE, List.of());
    }
}
