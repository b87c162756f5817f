package dev.interlock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Invariants I1 to I8, in some thousand runs; and plans that have failed once. */
class SeedsTest {

    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;

    @Test
    void locks_keepTheRules() {
        pass(Setting.Kind.LOCK, 3_000);
    }

    private static void pass(Setting.Kind kind, long seeds) {
        Search search = new Search(kind, 1, seeds, TimeUnit.HOURS.toNanos(1), 2);
        Optional<Search.Failure> failure = search.run(() -> {});

        assertThat(failure.map(Search::report)).isEmpty();
        assertThat(search.passed()).isEqualTo(seeds);
    }

    /**
     * A caller left after 0.3 ms, and counted as one that had waited for ever. So a timed call whose first reply was
     * late was told that the store is silent.
     */
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
        assertThat(seen).isEqualTo("ASKED REFUSED");
    }
}
