package dev.interlock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs the rows on Redis for a moment against a real server: it measures, and exclusion holds (I2). No figure is
 * judged.
 */
class BenchSmokeTest {

    private static final List<String> IN_ONE_JVM = List.of("B2", "B3", "B4", "B7");
    private static final List<String> IN_SEVERAL = List.of("B5", "B6", "B8");

    @Test
    void theFreeLockIsMeasuredForEveryPeer() {
        assertMeasuredForEveryPeer(List.of("B1"));
    }

    @Test
    @Tag("long")
    void everyRowOfOneJvmIsMeasuredForEveryPeer() {
        assertMeasuredForEveryPeer(IN_ONE_JVM);
    }

    @Test
    @Tag("long")
    void metricsAreMeasuredBesideTheClientWithoutThem() {
        for (Section section : Smoke.of(List.of("M1"), Settings.smoke())) {
            assertThat(section.lines())
                    .anyMatch(line -> line.startsWith("| Interlock |"))
                    .anyMatch(line -> line.startsWith("| Interlock with metrics |"));
            assertThat(section.verdicts()).singleElement().asString().contains("M1", "with metrics");
        }
    }

    @Test
    @Tag("long")
    void retainedLocksAreMeasuredBesideThoseThatAreNot() {
        for (Section section : Smoke.of(List.of("R1", "R2"), Settings.smoke())) {
            assertThat(section.lines())
                    .anyMatch(line -> line.startsWith("| Interlock |"))
                    .anyMatch(line -> line.startsWith("| Interlock, retained |"));
            assertThat(section.verdicts()).as(section.title()).isNotEmpty();
        }
    }

    @Test
    @Tag("long")
    void locksThatAreReleasedEarlyAreMeasuredBesideThoseThatAreNot() {
        for (Section section : Smoke.of(List.of("B1E"), Settings.smoke())) {
            assertThat(section.lines())
                    .anyMatch(line -> line.startsWith("| Interlock |"))
                    .anyMatch(line -> line.startsWith("| Interlock, released early |"));
            assertThat(section.verdicts()).as(section.title()).hasSize(2);
        }
    }

    private static void assertMeasuredForEveryPeer(List<String> rows) {
        for (Section section : Smoke.of(rows, Settings.smoke())) {
            for (PeerKind peer : PeerKind.onRedis()) {
                boolean expected = peer.isReentrant() || !section.title().startsWith("B3");
                assertThat(section.lines().stream().anyMatch(line -> line.startsWith("| " + peer.title() + " ")))
                        .as(section.title() + " of " + peer)
                        .isEqualTo(expected);
            }
            assertThat(section.verdicts()).as(section.title()).isNotEmpty();
        }
    }

    @Test
    @Tag("long")
    void everyRowOfSeveralProcessesIsMeasured() {
        Settings settings = Settings.smoke().withPeers(List.of(PeerKind.REDISSON, PeerKind.INTERLOCK));
        for (Section section : Smoke.of(IN_SEVERAL, settings)) {
            assertThat(section.verdicts()).as(section.title()).isNotEmpty();
        }
    }

    @Test
    void theOneThreadCostsRun() {
        LocalCosts costs = new LocalCosts();
        costs.hold();
        List<Boolean> results =
                new ArrayList<>(List.of(costs.reentrantLock(), costs.freeLock(), costs.reentry(), costs.isValid()));
        costs.close();
        assertThat(results).doesNotContain(false);
    }
}
