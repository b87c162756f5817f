package dev.interlock.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.LockStatus.Holder;
import dev.interlock.LockStatus.Waiter;
import dev.interlock.Party;
import dev.interlock.spi.LockKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What one look concludes from the one before, on points in time of the test's own. */
final class SnapshotTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Party PARTY = new Party("host", 7, "app", "thread");
    private static final SeenName.Key JOB = new SeenName.Key("job", LockKind.LOCK);

    @Test
    void aHolder_isAtRisk_whenARenewalDoesNotCome() {
        Snapshot first = look(Snapshot.none(), 0, held("o:1", 1, 0, 30));
        Snapshot renewed = look(first, 10, held("o:1", 1, 10, 30));
        Snapshot late = look(renewed, 24, held("o:1", 1, 24, 16));
        Snapshot risky = look(late, 26, held("o:1", 1, 26, 14));
        Snapshot safe = look(risky, 27, held("o:1", 1, 27, 30));

        assertThat(List.of(first, renewed, late, risky, safe))
                .extracting(snapshot -> name(snapshot).isAtRisk())
                .containsExactly(false, false, false, true, false);
        assertThat(risky.since(late).changed()).hasSize(1);
        assertThat(late.since(renewed).changed()).isEmpty();
    }

    /** Nobody renews a fixed lease, and nobody has to. */
    @Test
    void aFixedLease_isNeverAtRisk() {
        Snapshot first = look(Snapshot.none(), 0, held("o:1", 1, 0, 30));
        Snapshot later = look(first, 29, held("o:1", 1, 29, 1));

        assertThat(name(later).isAtRisk()).isFalse();
        assertThat(later.since(first).isEmpty()).isTrue();
    }

    @Test
    void aClaimLeftToLapse_isNeverAtRisk() {
        Snapshot first = look(Snapshot.none(), 0, held("left-o:1", 1, 0, 30));
        Snapshot renewed = look(first, 10, held("left-o:1", 1, 10, 30));
        Snapshot later = look(renewed, 38, held("left-o:1", 1, 38, 2));

        assertThat(name(later).isAtRisk()).isFalse();
        assertThat(name(later).holders().get(0).left()).isTrue();
    }

    /** A look comes a little earlier or later each time, and the hold began at one moment. */
    @Test
    void theBeginningOfAHold_doesNotMove() {
        Snapshot first = look(Snapshot.none(), 0, held("o:1", 1, 100, 30));
        Snapshot next = look(first, 3, held("o:1", 1, 102, 30));

        assertThat(name(next).holders().get(0).since()).isEqualTo(START.minusSeconds(100));
        assertThat(next.since(first).isEmpty()).isTrue();
    }

    @Test
    void anotherToken_isAnotherHold() {
        Snapshot first = look(Snapshot.none(), 0, held("o:1", 1, 5, 30));
        Snapshot next = look(first, 1, held("o:1", 2, 5, 30));

        Snapshot.Difference difference = next.since(first);
        assertThat(difference.begun())
                .singleElement()
                .satisfies(change -> assertThat(change.claim().token()).isEqualTo(2));
        assertThat(difference.ended())
                .singleElement()
                .satisfies(change -> assertThat(change.claim().token()).isEqualTo(1));
    }

    /** A client of another library holds by the same owner again; only the beginning tells. */
    @Test
    void withoutAToken_aLaterBeginning_isAnotherHold() {
        Snapshot first = look(Snapshot.none(), 0, held("foreign:1", 0, 60, 30));
        Snapshot same = look(first, 2, held("foreign:1", 0, 61, 30));
        Snapshot other = look(same, 10, held("foreign:1", 0, 3, 30));

        assertThat(same.since(first).isEmpty()).isTrue();
        assertThat(other.since(same).begun()).hasSize(1);
        assertThat(other.since(same).ended()).hasSize(1);
    }

    @Test
    void aWaiterThatIsGranted_endsAsAWait_andBeginsAsAHold() {
        Snapshot first = look(
                Snapshot.none(),
                0,
                new LockStatus(
                        "job",
                        List.of(holder("o:1", 1, 5, 30)),
                        List.of(new Waiter("o:2", PARTY, Duration.ofSeconds(2)))));
        Snapshot next = look(first, 1, held("o:2", 2, 0, 30));

        Snapshot.Difference difference = next.since(first);
        assertThat(difference.changed()).extracting(SeenName::key).containsExactly(JOB);
        assertThat(difference.begun())
                .extracting(change -> change.claim().owner())
                .containsExactly("o:2");
        assertThat(difference.ended())
                .extracting(
                        change -> change.claim().owner() + " " + change.claim().holds())
                .containsExactlyInAnyOrder("o:1 true", "o:2 false");
    }

    @Test
    void aNameThatIsGone_isToldByItsKey() {
        Snapshot first = look(Snapshot.none(), 0, held("o:1", 1, 5, 30));
        Snapshot next = first.next(List.of(), START.plusSeconds(1), true);

        assertThat(next.since(first).gone()).containsExactly(JOB);
        assertThat(next.since(first).ended()).hasSize(1);
        assertThat(next.counts()).isEqualTo(Snapshot.Counts.NONE);
    }

    @Test
    void names_areFoundByTheirBeginning_andByTheWhole() {
        List<LockStatus> locks = List.of(lock("a"), lock("a:"), lock("a:b"), lock("ab"), lock("b"));
        Snapshot snapshot = Snapshot.none().next(locks, START, true);

        assertThat(snapshot.names("a")).extracting(name -> name.key().name()).containsExactly("a", "a:", "a:b", "ab");
        assertThat(snapshot.names("a:")).hasSize(2);
        assertThat(snapshot.names("")).hasSize(5);
        assertThat(snapshot.named("a")).extracting(name -> name.key().name()).containsExactly("a");
        assertThat(snapshot.named("a:c")).isEmpty();
    }

    /** Others have written it. */
    @Test
    void aLongTextOfAParty_isCut() {
        Party party = new Party("h".repeat(5000), 1, "a".repeat(5000), "t".repeat(5000));
        Holder holder = new Holder("o:1", party, Duration.ZERO, Duration.ofSeconds(30), 1);
        Snapshot snapshot = look(Snapshot.none(), 0, new LockStatus("job", List.of(holder), List.of()));

        Map<String, Object> row = name(snapshot).row("s1", 0);
        assertThat(row.toString()).hasSizeLessThan(1500);
    }

    private static LockStatus lock(String name) {
        return new LockStatus(name, List.of(holder("o:" + name, 1, 0, 30)), List.of());
    }

    private static LockStatus held(String owner, long token, long heldSeconds, long leftSeconds) {
        return new LockStatus("job", List.of(holder(owner, token, heldSeconds, leftSeconds)), List.of());
    }

    private static Holder holder(String owner, long token, long heldSeconds, long leftSeconds) {
        return new Holder(owner, PARTY, Duration.ofSeconds(heldSeconds), Duration.ofSeconds(leftSeconds), token);
    }

    private static Snapshot look(Snapshot before, int second, LockStatus lock) {
        return before.next(List.of(lock), START.plusSeconds(second), true);
    }

    private static SeenName name(Snapshot snapshot) {
        return Objects.requireNonNull(snapshot.find(JOB));
    }
}
