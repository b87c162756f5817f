package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.support.Finding;
import dev.interlock.support.Finding.Verdict;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.ZooKeeperServer;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the store says of its servers. Asked again while a busy machine is too slow to connect, or to answer. */
class DiagnosisTest {

    private static ZooKeeperServer server;

    @BeforeAll
    static void start() {
        server = ZooKeeperServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aSingleServer_openToAll() {
        try (ZooKeeperStore store = ZooKeeperStore.at(server.uri() + "/locks")) {
            long before = System.currentTimeMillis();
            long latest = before + Patience.limit().toMillis();

            assertThat(clockOf(store)).isBetween(before - 1, latest);

            await().untilAsserted(() -> assertThat(verdicts(store))
                    .containsEntry("server " + server.connectString(), Verdict.GOOD)
                    .containsEntry("failover", Verdict.NOTE)
                    .containsEntry("rights", Verdict.NOTE)
                    .containsEntry("path", Verdict.GOOD));
            await().untilAsserted(() -> assertThat(store.diagnose())
                    .anySatisfy(finding -> assertThat(finding.state()).matches("ZooKeeper [0-9.]+, standalone, .*")));
        }
    }

    @Test
    void theRoot_isWarnedOf() {
        try (ZooKeeperStore store = ZooKeeperStore.at(server.uri())) {
            await().untilAsserted(() -> assertThat(verdicts(store)).containsEntry("path", Verdict.WARNING));
        }
    }

    /** The nodes of another user cannot be listed here, and the rest is found out. */
    @Test
    void aUser_ownsTheNodes() {
        String uri = "zk://user:secret@" + server.connectString() + "/owned";
        try (ZooKeeperStore store = ZooKeeperStore.at(uri)) {
            assertThat(clockOf(store)).isPositive();

            await().untilAsserted(() -> assertThat(verdicts(store)).containsEntry("rights", Verdict.GOOD));
        }
        try (ZooKeeperStore other = ZooKeeperStore.at("zk://other:secret@" + server.connectString() + "/owned/x")) {
            await().untilAsserted(() -> assertThat(verdicts(other))
                    .containsEntry("rights", Verdict.UNKNOWN)
                    .containsEntry("path", Verdict.GOOD));
        }
    }

    private static long clockOf(ZooKeeperStore store) {
        return await().until(store::readClock, OptionalLong::isPresent).orElseThrow();
    }

    private static Map<String, Verdict> verdicts(ZooKeeperStore store) {
        return store.diagnose().stream().collect(Collectors.toMap(Finding::check, Finding::verdict));
    }
}
