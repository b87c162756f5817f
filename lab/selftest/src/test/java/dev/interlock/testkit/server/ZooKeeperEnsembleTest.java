package dev.interlock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.testkit.server.ZooKeeperServer.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("long")
class ZooKeeperEnsembleTest {

    private static final Duration SESSION = Duration.ofSeconds(20);

    private static ZooKeeperEnsemble ensemble;

    @BeforeAll
    static void startServers() {
        ensemble = ZooKeeperEnsemble.startDivisible();
    }

    @AfterAll
    static void stopServers() {
        ensemble.close();
    }

    @Test
    void anotherLeadsWhenTheLeaderDies_andItFollowsWhenItIsBack() throws Exception {
        ZooKeeperServer first = ensemble.awaitLeader();
        await().until(() -> ensemble.followers().size() == 2);
        try (PlainClient client = connect(ensemble.connectString())) {
            create(client, "/before");
            first.kill();
            await().until(() -> {
                ZooKeeperServer second = ensemble.awaitLeaderOtherThan(first);
                return ensemble.leader().filter(second::equals).isPresent();
            });
            first.launchAgain();
            ensemble.awaitWhole();
            await().until(() -> first.role() == Role.FOLLOWER);
            await().ignoreExceptionsInstanceOf(KeeperException.class)
                    .untilAsserted(() ->
                            assertThat(client.zk().exists("/before", false)).isNotNull());

            ensemble.expire(client.zk().getSessionId());
            client.awaitEnd();
        }
    }

    @Test
    void aLeaderWithoutFollowersServesNobody_andFollowsWhenItIsBack() throws Exception {
        ZooKeeperServer alone = ensemble.awaitLeader();
        long heldBefore = ensemble.heldBytes();
        ensemble.isolate(alone);
        ZooKeeperServer other = ensemble.awaitLeaderOtherThan(alone);
        await().until(() -> alone.role() == Role.NONE);
        assertThat(ensemble.heldBytes()).isGreaterThan(heldBefore);
        try (PlainClient client = connect(other.connectString())) {
            create(client, "/without");
        }

        ensemble.heal();

        ensemble.awaitWhole();
        await().until(() -> ensemble.leader().isPresent());
        try (PlainClient client = connect(alone.connectString())) {
            // A server that stands still for too long breaks with the leader, and with its clients.
            await().ignoreExceptionsInstanceOf(KeeperException.class).until(() -> {
                client.zk().sync("/", (code, path, context) -> {}, null);
                assertThat(client.zk().exists("/without", false)).isNotNull();
                return true;
            });
        }
    }

    @Test
    void onlyADivisibleOneIsDivided() {
        assertThat(ensemble.servers()).hasSize(3);
        assertThat(ensemble.uri()).isEqualTo("zk://" + ensemble.connectString());
        List<FaultProxy> proxies =
                ensemble.servers().stream().map(FaultProxy::to).toList();
        assertThat(ZooKeeperEnsemble.connectString(proxies))
                .contains(":" + proxies.get(2).port());
        proxies.forEach(FaultProxy::close);
        assertThatThrownBy(() -> ensemble.expire(1)).hasMessageContaining("no such session");
    }

    private static void create(PlainClient client, String path) throws Exception {
        client.zk().create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    private static PlainClient connect(String at) throws IOException {
        return PlainClient.connect(at, SESSION);
    }
}
