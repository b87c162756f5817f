package dev.interlock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs every row for a moment against a real server: it measures, and exclusion holds (I2). No figure is judged. */
class BenchSmokeTest {

    private static final List<String> IN_ONE_JVM = List.of("B1", "B2", "B3", "B4", "B7");
    private static final List<String> IN_SEVERAL = List.of("B5", "B6", "B8");

    @Test
    void everyRowOfOneJvmIsMeasuredForEveryPeer() {
        List<Section> sections = measure(IN_ONE_JVM, Settings.smoke());
        for (Section section : sections) {
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
    void everyRowOfSeveralProcessesIsMeasured() {
        Settings settings = Settings.smoke().withPeers(List.of(PeerKind.REDISSON, PeerKind.INTERLOCK));
        for (Section section : measure(IN_SEVERAL, settings)) {
            assertThat(section.verdicts()).as(section.title()).isNotEmpty();
        }
    }

    /** The others take seconds for what they prepare: for this one nothing is. */
    @Test
    void aRowOnZooKeeperIsMeasured() {
        for (Section section : measure(List.of("Z1"), Settings.smoke())) {
            assertThat(section.lines()).anyMatch(line -> line.startsWith("| Curator "));
            assertThat(section.lines()).anyMatch(line -> line.startsWith("| Interlock "));
            assertThat(section.verdicts()).isNotEmpty();
        }
    }

    @Test
    void theFreeLockOnSqlIsMeasuredForEveryPeer() {
        for (Section section : measure(List.of("S1"), Settings.smoke())) {
            for (PeerKind peer : PeerKind.onSql()) {
                assertThat(section.lines()).anyMatch(line -> line.startsWith("| " + peer.title() + " "));
            }
            assertThat(section.verdicts()).isNotEmpty();
        }
    }

    @Test
    void theOtherRowsOnSqlAreMeasured() {
        Settings settings = Settings.smoke().withPeers(List.of(PeerKind.INTERLOCK));
        for (Section section : measure(List.of("S2", "S3", "S4"), settings)) {
            assertThat(section.lines()).anyMatch(line -> line.startsWith("| Interlock "));
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

    private static List<Section> measure(List<String> rows, Settings settings) {
        try (RedisServer server = RedisServer.start()) {
            List<Section> sections = new Bench(new Options(rows, settings, null), server).sections();
            assertThat(sections).hasSameSizeAs(rows).noneMatch(Section::failed);
            return sections;
        }
    }
}
