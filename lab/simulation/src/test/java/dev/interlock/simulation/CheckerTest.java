package dev.interlock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LossCause;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The checker, by histories that are written by hand: it finds what it is made to find, and excuses no more. */
class CheckerTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long TOKEN = 1024;

    /** A call that waits for so long, and the process that makes it. */
    private static final int TIMED = 2;

    private static final long WAIT = 3 * SECOND;

    private final Timeline timeline = new Timeline();
    private final History history = new History(timeline);

    @Test
    void twoValidLeases_areAnOverlap() {
        grant(0, 1);
        grant(1, 2);
        look(0, 1);
        look(1, 2);

        assertThat(rule()).contains(Violation.Rule.EXCLUSION);
    }

    @Test
    void aLeaseFromBeforeTheStoreHasForgotten_isExcused() {
        grant(0, 1);
        at(MILLI);
        history.add(Event.Kind.WORD_BROKEN, -1, -1, -1, 0, 0);
        grant(1, 2);
        look(0, 1);
        look(1, 2);
        end(0, 1);
        end(1, 2);

        assertThat(rule()).isEmpty();
    }

    @Test
    void aLeaseFromAfterTheStoreHasForgotten_isNot() {
        history.add(Event.Kind.WORD_BROKEN, -1, -1, -1, 0, 0);
        grant(0, 1);
        grant(1, 2);
        look(0, 1);
        look(1, 2);

        assertThat(rule()).contains(Violation.Rule.EXCLUSION);
    }

    @Test
    void aSmallerToken_isFound() {
        grant(0, 2);
        look(0, 2);
        end(0, 2);
        grant(1, 1);

        assertThat(rule()).contains(Violation.Rule.TOKENS);
    }

    @Test
    void aHolderThatIsNeverTold_isFound() {
        grant(0, 1);

        assertThat(rule()).contains(Violation.Rule.TOLD);
    }

    @Test
    // A history is numbers.
    @SuppressWarnings("EnumOrdinal")
    void aHolderThatIsToldLate_isFound() {
        grant(0, 1);
        at(2 * SECOND);
        see(Event.Kind.LOST, 0, LossCause.EXPIRED.ordinal());

        assertThat(rule()).contains(Violation.Rule.TOLD);
    }

    @Test
    void aCallerWithoutAnOutcome_isFound() {
        see(Event.Kind.ASKED, 0, 0);

        assertThat(rule()).contains(Violation.Rule.STUCK);
    }

    @Test
    void aNameThatIsFreeForLongWhileSomebodyWaits_isFound() {
        grant(0, 1);
        see(Event.Kind.ASKED, 1, 0);
        end(0, 1);
        history.add(Event.Kind.SERVER_FREE, -1, -1, 0, 0, 0);
        at(900 * MILLI);
        granted(1, 2);
        end(1, 2);

        assertThat(rule()).contains(Violation.Rule.WOKEN);
    }

    @Test
    void aClaimOfNobody_isFound() {
        history.add(Event.Kind.NOBODYS, 0, -1, 0, 1, 0);

        assertThat(rule()).contains(Violation.Rule.LEFT_BEHIND);
    }

    @Test
    void aRunWithoutAnEnd_isFound() {
        history.add(Event.Kind.ENDLESS, -1, -1, -1, 7, 0);

        assertThat(rule()).contains(Violation.Rule.ENDLESS);
    }

    @Test
    void anOutcomeAfterTheEndOfAWait_isLate() {
        see(Event.Kind.ASKED, TIMED, 0);
        at(4 * SECOND);
        see(Event.Kind.LEFT, TIMED, 0);

        assertThat(rule()).contains(Violation.Rule.IN_TIME);
    }

    @Test
    void anOutcomeAfterTheEndOfAnAttempt_isLate_andBeforeItIsNot() {
        see(Event.Kind.ASKED, TIMED, 0);
        at(WAIT - 100 * MILLI);
        history.add(Event.Kind.SENT, TIMED, -1, -1, 0, 0);
        at(WAIT + 900 * MILLI);
        see(Event.Kind.LEFT, TIMED, 0);
        assertThat(rule()).isEmpty();

        see(Event.Kind.ASKED, TIMED, 0);
        at(2 * WAIT + 2 * SECOND);
        see(Event.Kind.LEFT, TIMED, 0);
        assertThat(rule()).contains(Violation.Rule.IN_TIME);
    }

    private void at(long nanos) {
        timeline.at(nanos, () -> {});
        assertThat(timeline.step()).isTrue();
    }

    private void grant(int call, long fence) {
        see(Event.Kind.ASKED, call, 0);
        granted(call, fence);
    }

    private void granted(int call, long fence) {
        history.add(Event.Kind.SERVER_GRANTS, call, -1, 0, fence, 0);
        history.add(Event.Kind.SERVER_KEEPS, call, -1, 0, fence, timeline.now() + SECOND);
        see(Event.Kind.GRANTED, call, fence * TOKEN);
        see(Event.Kind.LISTENS, call, fence * TOKEN);
        look(call, fence);
    }

    private void look(int call, long fence) {
        see(Event.Kind.VALID, call, fence * TOKEN);
    }

    /** Some time later it is released, and knows it. */
    private void end(int call, long fence) {
        at(timeline.now() + MILLI);
        look(call, fence);
        see(Event.Kind.RELEASES, call, fence * TOKEN);
        history.add(Event.Kind.RELEASED, call, call, 0, 0, -1);
    }

    private void see(Event.Kind kind, int call, long value) {
        history.add(kind, call, call, 0, value, 0);
    }

    private Optional<Violation.Rule> rule() {
        Setting setting =
                new Setting(1, Setting.Kind.LOCK, false, true, 2, 1, 1, MILLI / 10, MILLI, 0, 0, Duration.ofSeconds(1));
        Plan plan = new Plan(setting, List.of(ask(0), ask(1), timed()));
        return Checker.check(plan, history).map(Violation::rule);
    }

    private static Ask timed() {
        return new Ask(TIMED, TIMED, 0, 0, Ask.Want.TIMED, WAIT, 1, false, SECOND, 0, MILLI, Ask.End.RELEASE, 0);
    }

    private static Ask ask(int number) {
        return new Ask(number, number, 0, 0, Ask.Want.FOR_EVER, 0, 1, false, SECOND, 0, MILLI, Ask.End.RELEASE, 0);
    }
}
