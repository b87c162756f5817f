package dev.interlock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.server.EtcdServer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs rows on ZooKeeper, etcd and SQL for a moment, as {@link BenchSmokeTest} does on Redis. */
@Tag("long")
class OtherStoresSmokeTest {

    /** The others take seconds for what they prepare: for this one nothing is. */
    @Test
    void aRowOnZooKeeperIsMeasured() {
        for (Section section : Smoke.of(List.of("Z1"), Settings.smoke())) {
            assertThat(section.lines()).anyMatch(line -> line.startsWith("| Curator "));
            assertThat(section.lines()).anyMatch(line -> line.startsWith("| Interlock "));
            assertThat(section.verdicts()).isNotEmpty();
        }
    }

    /** Without an etcd they say so. */
    @Test
    @Tag("long")
    void theRowsOnEtcdAreMeasured_orSayThatThereIsNone() {
        for (Section section : Smoke.of(List.of("E1", "E2", "E3"), Settings.smoke())) {
            if (EtcdServer.isInstalled()) {
                assertThat(section.lines()).anyMatch(line -> line.startsWith("| jetcd "));
                assertThat(section.lines()).anyMatch(line -> line.startsWith("| Interlock "));
                assertThat(section.verdicts()).isNotEmpty();
            } else {
                assertThat(section.lines()).containsExactly("Not measured: no etcd is on the PATH.");
                assertThat(section.verdicts()).isEmpty();
            }
        }
    }

    @Test
    @Tag("long")
    void theFreeLockOnSqlIsMeasuredForEveryPeer() {
        for (Section section : Smoke.of(List.of("S1"), Settings.smoke())) {
            for (PeerKind peer : PeerKind.onSql()) {
                assertThat(section.lines()).anyMatch(line -> line.startsWith("| " + peer.title() + " "));
            }
            assertThat(section.verdicts()).isNotEmpty();
        }
    }

    @Test
    void theOtherRowsOnSqlAreMeasured() {
        Settings settings = Settings.smoke().withPeers(List.of(PeerKind.INTERLOCK));
        for (Section section : Smoke.of(List.of("S2", "S3", "S4"), settings)) {
            assertThat(section.lines()).anyMatch(line -> line.startsWith("| Interlock "));
        }
    }

    @Test
    void theRowOnSqliteIsMeasured() {
        for (Section section : Smoke.of(List.of("S5"), Settings.smoke())) {
            assertThat(section.lines()).anyMatch(line -> line.startsWith("| 16 threads, now "));
        }
    }

    @Test
    @Tag("long")
    void theFirstLocksOfFreshJvmsAreMeasured() {
        for (Section section : Smoke.of(List.of("F1", "F2", "F3"), Settings.smoke())) {
            assertThat(section.lines().stream().filter(line -> line.startsWith("| Interlock |")))
                    .as(section.title())
                    .hasSize(2);
            assertThat(section.verdicts()).as(section.title()).isNotEmpty();
        }
    }
}
