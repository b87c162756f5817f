package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.StoreUnavailableException;
import dev.interlock.support.Finding;
import dev.interlock.support.Finding.Verdict;
import dev.interlock.testkit.server.EtcdCluster;
import dev.interlock.testkit.server.EtcdServer;
import io.etcd.jetcd.Auth;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.auth.Permission;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the store says of its servers. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("wide")
class EtcdDiagnosisTest {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    private static final String KB = "x".repeat(100_000);

    private static Map<String, Finding> findings(String uri) {
        try (EtcdStore store = EtcdStore.at(uri)) {
            assertThat(store.readClock()).isEmpty();
            return store.diagnose().stream().collect(Collectors.toMap(Finding::check, finding -> finding));
        }
    }

    /** Asks again while a busy machine is too slow to answer. */
    private static void awaitVerdicts(String uri, Map<String, Verdict> expected) {
        await().ignoreExceptions().untilAsserted(() -> assertThat(
                        findings(uri).values().stream().collect(Collectors.toMap(Finding::check, Finding::verdict)))
                .containsAllEntriesOf(expected));
    }

    private static String memberOf(EtcdServer server) {
        return "member member-" + server.port();
    }

    @Test
    void aSingleMember_openToAll() {
        String member = memberOf(ETCD.server());
        long before = ETCD.server().metric("etcd_debugging_mvcc_put_total");

        awaitVerdicts(ETCD.uri(), Map.of(member, Verdict.GOOD, "failover", Verdict.NOTE, "rights", Verdict.GOOD));
        awaitVerdicts(ETCD.uri(), Map.of("alarms", Verdict.GOOD));
        await().untilAsserted(() -> assertThat(findings(ETCD.uri()))
                .extractingByKey(member)
                .extracting(Finding::state, as(InstanceOfAssertFactories.STRING))
                .matches("etcd 3\\.[0-9.]+, the leader, [0-9]+ kB of data"));
        assertThat(ETCD.server().metric("etcd_debugging_mvcc_put_total")).isEqualTo(before);
    }

    @Test
    void aMemberThatIsDown_isWarnedOf() {
        try (EtcdCluster cluster = EtcdCluster.start()) {
            String uri = "etcd://" + cluster.hosts() + "/locks";
            EtcdServer leader = cluster.leader();
            EtcdServer down = cluster.members().stream()
                    .filter(member -> member != leader)
                    .findFirst()
                    .orElseThrow();
            awaitVerdicts(uri, Map.of(memberOf(down), Verdict.GOOD, "failover", Verdict.GOOD));

            down.kill();

            awaitVerdicts(
                    "etcd://" + leader.host() + "/locks",
                    Map.of(memberOf(down), Verdict.WARNING, memberOf(leader), Verdict.GOOD, "failover", Verdict.GOOD));
        }
    }

    @Test
    void aServerWithoutSpace_isBad_andALockSaysSo() throws Exception {
        try (EtcdServer server = EtcdServer.startWithQuota(1 << 20);
                Client filler =
                        Client.builder().endpoints("http://" + server.host()).build()) {
            boolean isFull = false;
            for (int i = 0; !isFull && i < 1_000; i++) {
                isFull = filler.getKVClient()
                        .put(Operations.bytes("filler/" + i), Operations.bytes(KB))
                        .handle((put, failure) -> failure != null)
                        .get();
            }

            awaitVerdicts("etcd://" + server.host() + "/locks", Map.of("alarms", Verdict.BAD));
            try (Interlock client = Interlock.builder(EtcdStore.at("etcd://" + server.host() + "/locks"))
                    .storeTimeout(Duration.ofSeconds(3))
                    .build()) {
                // The last thing that it hears of may be a time-out: then it tries again.
                await().untilAsserted(() -> assertThatThrownBy(
                                () -> client.lock("full").lock())
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasStackTraceContaining("compact and defragment"));
            }
        }
    }

    @Test
    void aUser_mayUseThePathOfTheStoreOnly() throws Exception {
        try (EtcdServer server = EtcdServer.start();
                Client root =
                        Client.builder().endpoints("http://" + server.host()).build()) {
            Auth auth = root.getAuthClient();
            auth.userAdd(Operations.bytes("root"), Operations.bytes("r")).get();
            auth.userGrantRole(Operations.bytes("root"), Operations.bytes("root"))
                    .get();
            auth.roleAdd(Operations.bytes("locks")).get();
            auth.roleGrantPermission(
                            Operations.bytes("locks"),
                            Operations.bytes("locks"),
                            Operations.bytes("lockt"),
                            Permission.Type.READWRITE)
                    .get();
            auth.userAdd(Operations.bytes("user"), Operations.bytes("secret")).get();
            auth.userGrantRole(Operations.bytes("user"), Operations.bytes("locks"))
                    .get();
            auth.authEnable().get();
            String host = "user:secret@" + server.host();

            awaitVerdicts("etcd://" + host + "/locks", Map.of("rights", Verdict.GOOD));
            awaitVerdicts("etcd://" + host + "/others", Map.of("rights", Verdict.BAD));
        }
    }
}
